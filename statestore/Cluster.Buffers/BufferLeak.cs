namespace Cluster.Buffers;

/// <summary>A buffer that nobody freed: its pile was disposed, which took the memory back; or its array was collected
/// as garbage, and the memory is still taken, because a span of it may be in use. Immutable.</summary>
/// <param name="Budget">Whose memory it was: the name of a pile or of a <see cref="BufferBudget"/>.</param>
/// <param name="Bytes">The size that was asked for.</param>
/// <param name="CreatedAt">The calls that led to its creation; null unless diagnostics were on then.</param>
public sealed record BufferLeak(string Budget, long Bytes, string? CreatedAt);
