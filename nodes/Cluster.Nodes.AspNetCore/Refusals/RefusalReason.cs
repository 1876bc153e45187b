namespace Cluster.Nodes.AspNetCore.Refusals;

/// <summary>Why something was refused or not kept.</summary>
internal enum RefusalReason
{
    /// <summary>The key is longer than the option allows.</summary>
    KeyTooLong,

    /// <summary>The key or a tag is empty, or has characters that no key may have.</summary>
    KeyInvalid,

    /// <summary>The value, or the session with it, is larger than the option allows.</summary>
    ValueTooLarge,

    /// <summary>The state or the serializer refuses it, often because a type is not on the closed list.</summary>
    Refused,

    /// <summary>The owner did not answer, or not in time.</summary>
    Unreachable,

    /// <summary>A request names a session that has expired, or that never existed.</summary>
    SessionUnknown,

    /// <summary>The session cookie of a request cannot be read: it is forged, or another application has made
    /// it.</summary>
    CookieUnreadable,
}
