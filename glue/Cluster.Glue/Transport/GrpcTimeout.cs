namespace Cluster.Glue.Transport;

/// <summary>The time limit of a gRPC request in its header: at most eight digits and a unit. Pure.</summary>
internal static class GrpcTimeout
{
    public const string Header = "grpc-timeout";

    private const int DigitsMax = 8;

    /// <summary>The time in the header; null: there is no header, or it is invalid.</summary>
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
