namespace Cluster.StateStore.Messages;

/// <summary>The answer to a hand-off message.</summary>
public sealed class HandoffReply
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>Whether the receiver did what was asked.</summary>
    public bool IsAccepted { get; init; }

    /// <summary>Why not, in words.</summary>
    public string? Refusal { get; init; }

    internal static HandoffReply Accepted() => new() { IsAccepted = true };

    internal static HandoffReply Refused(string why) => new() { Refusal = why };
}
