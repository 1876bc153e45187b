namespace Cluster.Glue.Wire;

/// <summary>A message exceeded its buffer's limit while it was written. The code that writes the message catches
/// it.</summary>
internal sealed class WireLimitException(long needed, int bytesMax)
    : Exception($"{needed} bytes or more are needed, {bytesMax} are allowed.")
{
    public long Needed { get; } = needed;

    public int BytesMax { get; } = bytesMax;
}
