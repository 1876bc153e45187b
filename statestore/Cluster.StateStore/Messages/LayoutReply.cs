namespace Cluster.StateStore.Messages;

/// <summary>The answer to a <see cref="LayoutRequest"/>. Filled once by the node, then only read.</summary>
public sealed class LayoutReply
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>How the request ended.</summary>
    public LayoutReplyStatus Status { get; init; }

    /// <summary>The description that was asked for, or null.</summary>
    public byte[]? Description { get; init; }

    /// <summary>What is wrong, in words, when the request was refused.</summary>
    public string? Message { get; init; }
}
