namespace Cluster.Glue.Transport;

/// <summary>The time that a gRPC request gives its method, as its header says it: at most eight digits and a unit.
/// Pure.</summary>
internal static class GrpcTimeout
{
    public const string Header = "grpc-timeout";

    private const int DigitsMax = 8;

    /// <summary>The time that a header gives; null without a header, or with one that makes no sense.</summary>
    public static TimeSpan? FromHeader(string? text)
    {
        if (text is null || text.Length < 2 || text.Length > DigitsMax + 1)
            return null;
        if (!long.TryParse(text.AsSpan(..^1), NumberStyles.None, CultureInfo.InvariantCulture, out var count))
            return null;
        long? ticks = text[^1] switch
        {
            'H' => TimeSpan.TicksPerHour * count,
            'M' => TimeSpan.TicksPerMinute * count,
            'S' => TimeSpan.TicksPerSecond * count,
            'm' => TimeSpan.TicksPerMillisecond * count,
            'u' => TimeSpan.TicksPerMicrosecond * count,
            'n' => count / TimeSpan.NanosecondsPerTick,
            _ => null,
        };
        return ticks is { } known ? TimeSpan.FromTicks(known) : null;
    }
}
