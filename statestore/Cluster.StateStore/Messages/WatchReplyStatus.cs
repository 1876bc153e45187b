namespace Cluster.StateStore.Messages;

/// <summary>How a <see cref="WatchRequest"/> ended. The numbers are part of the messages between nodes.</summary>
public enum WatchReplyStatus
{
    /// <summary>The payload has what is new.</summary>
    Done = 1,

    /// <summary>The node does not know the watch, or serves nothing now. The caller begins another one.</summary>
    Over = 2,

    /// <summary>The request can never work; the message says why.</summary>
    Refused = 3,
}
