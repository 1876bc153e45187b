using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>One envelope as it travelled. Immutable by custom.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="CallId">Of its call.</param>
/// <param name="Bytes">All of it.</param>
/// <param name="Body">Its body alone.</param>
internal sealed record RecordedEnvelope(EnvelopeKind Kind, ulong CallId, byte[] Bytes, byte[] Body)
{
    /// <summary>What precedes the length of the body.</summary>
    public ReadOnlySpan<byte> Head => Bytes.AsSpan(0, Bytes.Length - Frames.Block(Body).Length);
}
