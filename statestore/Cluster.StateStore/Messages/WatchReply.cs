namespace Cluster.StateStore.Messages;

/// <summary>The answer to a <see cref="WatchRequest"/>. Filled once by the node, then only read.</summary>
public sealed class WatchReply
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>How the request ended.</summary>
    public WatchReplyStatus Status { get; init; }

    /// <summary>The number of the reply, counted from 1.</summary>
    public long Number { get; init; }

    /// <summary>Changes, and which partitions the node serves, as <c>docs/formats/state-messages.md</c> describes
    /// it.</summary>
    public byte[]? Payload { get; init; }

    /// <summary>What is wrong, in words, when the request was refused.</summary>
    public string? Message { get; init; }
}
