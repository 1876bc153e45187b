namespace Cluster.StateStore.Messages;

/// <summary>How a <see cref="LayoutRequest"/> ended. The numbers are part of the messages between nodes.</summary>
public enum LayoutReplyStatus
{
    /// <summary>The node keeps what it was told, and has answered what it was asked.</summary>
    Done = 1,

    /// <summary>The node keeps what it was told, and does not know the layout that it was asked for.</summary>
    NotKnown = 2,

    /// <summary>The node has no store now; the caller asks again later.</summary>
    NotReady = 3,

    /// <summary>The request can never work; the message says why.</summary>
    Refused = 4,
}
