"""Errors of the domain: each message is a sentence that names the thing and says what to do."""


class JuryFlowError(Exception):
    """Base of every error a user may read; its message is shown as it is."""


class InvalidInputError(JuryFlowError):
    """Something a person or a file gave cannot be taken; nothing was stored."""


class ConflictError(JuryFlowError):
    """The state changed in between: somebody else was faster, or the work runs already."""


class NotAllowedError(JuryFlowError):
    """The member's role does not allow this."""


class MissingPieceError(JuryFlowError):
    """Something this needs is absent (a key, a package, a server); the message says how to get it."""
