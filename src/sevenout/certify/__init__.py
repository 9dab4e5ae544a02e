"""Certificates of answers, and the program that checks them.

`check.py` is one file on Python's standard library, independent of sevenout, that anyone can read
and run. The other modules write what it reads.
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
