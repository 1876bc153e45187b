namespace Cluster.Contracts;

/// <summary>What a caller can do about a failed call; the finest distinction that changes the caller's next
/// step.</summary>
public enum GlueErrorKind
{
    /// <summary>Nobody could be reached. Another endpoint, or the same one later, may answer.</summary>
    Unreachable = 1,

    /// <summary>A limit on calls or bytes under way was reached and did not clear in time. Call less, or
    /// later.</summary>
    Overloaded = 2,

    /// <summary>The time given to the call ran out.</summary>
    Deadline = 3,

    /// <summary>This call will never be accepted as it is: unknown method, too large, not serializable.</summary>
    Refused = 4,

    /// <summary>The link broke or the peer misbehaved while the call was under way.</summary>
    Broken = 5,
}
