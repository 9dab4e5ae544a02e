"""Answers that carry their proof: certificates, and the program that checks them.

`check.py` imports nothing of sevenout: it is one file, on Python's standard library alone, that
anyone can read, and run on a certificate. The other modules write what it reads.
"""

from sevenout.certify.certificate import Certificate, ProofFile, Proved
from sevenout.certify.claim import Claim, Worth, award_worths, claim_of, claims_of

__all__ = [
    "Certificate",
    "Claim",
    "ProofFile",
    "Proved",
    "Worth",
    "award_worths",
    "claim_of",
    "claims_of",
]
