"""Certificates of answers, and the program that checks them.

`check.py` is one file on Python's standard library, independent of sevenout, that anyone can read
and run. The other modules write what it reads.
"""

from sevenout.certify.certificate import Certificate, ProofFile, Proved
from sevenout.certify.claim import AwardClaim, Claim, award_claims, claim_of, claims_of

__all__ = [
    "AwardClaim",
    "Certificate",
    "Claim",
    "ProofFile",
    "Proved",
    "award_claims",
    "claim_of",
    "claims_of",
]
