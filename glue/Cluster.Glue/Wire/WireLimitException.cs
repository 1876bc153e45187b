namespace Cluster.Glue.Wire;

/// <summary>A message outgrew its buffer's limit while it was written. Caught at the call that wrote it.</summary>
internal sealed class WireLimitException(long needed, int bytesMax)
    : Exception($"{needed} bytes or more are needed, {bytesMax} are allowed.")
{
    public long Needed { get; } = needed;

    public int BytesMax { get; } = bytesMax;
}
