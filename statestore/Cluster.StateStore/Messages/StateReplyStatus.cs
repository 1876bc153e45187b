namespace Cluster.StateStore.Messages;

/// <summary>How a request ended. Only <see cref="Done"/>, <see cref="Unknown"/> and <see cref="ResultNotKept"/> can
/// have changed anything. The numbers are part of the messages.</summary>
public enum StateReplyStatus
{
    /// <summary>Executed.</summary>
    Done = 1,

    /// <summary>The key, or the expected version of it, is not there; nothing was changed.</summary>
    NotFound = 2,

    /// <summary>Another epoch stands: <see cref="StateReply.Moved"/> says what the responder knows.</summary>
    Moved = 3,

    /// <summary>The responder is not ready to serve the partition: it hands it over, or its table is older.</summary>
    NotReady = 4,

    /// <summary>The pile is full.</summary>
    Full = 5,

    /// <summary>Other writes of the key took too long.</summary>
    Busy = 6,

    /// <summary>The request can never work; <see cref="StateReply.Message"/> says why.</summary>
    Refused = 7,

    /// <summary>The operation threw: <see cref="StateReply.Failure"/> says what. It has run and has changed
    /// nothing.</summary>
    Failed = 8,

    /// <summary>The responder has lost the partition while the write waited for its backups; another node may have
    /// carried it out.</summary>
    Unknown = 9,

    /// <summary>An earlier attempt of the operation was carried out; its result was too large to be kept.</summary>
    ResultNotKept = 10,

    /// <summary>The value is missing, and another caller loads it.</summary>
    Loading = 11,
}
