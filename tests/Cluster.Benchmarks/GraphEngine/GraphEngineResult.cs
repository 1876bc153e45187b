namespace Cluster.Benchmarks.GraphEngine;

/// <summary>What one process of the Graph Engine test measured; the line it prints. Immutable.</summary>
/// <param name="Seconds">How long saving and removing took.</param>
/// <param name="StartBytes">The resident memory of the process before.</param>
/// <param name="ResidentBytes">The same afterwards, all of it.</param>
/// <param name="Live">How many cells there are.</param>
/// <param name="PayloadBytes">How many bytes these have.</param>
/// <param name="Checksum">What they add up to.</param>
public sealed record GraphEngineResult(
    double Seconds, long StartBytes, long ResidentBytes, long Live, long PayloadBytes, ulong Checksum)
{
    /// <summary>What a cell costs beside its bytes.</summary>
    public double OverheadPerCell => (double)(ResidentBytes - StartBytes - PayloadBytes) / Live;

    /// <summary>Whether both hold the same cells.</summary>
    public bool HoldsTheSameAs(GraphEngineResult other) =>
        (Live, PayloadBytes, Checksum) == (other.Live, other.PayloadBytes, other.Checksum);

    /// <summary>Reads the line of a process.</summary>
    public static GraphEngineResult Parse(string line)
    {
        var words = line.Split(' ');
        return words.Length == 6
            ? new GraphEngineResult(
                double.Parse(words[0], CultureInfo.InvariantCulture),
                long.Parse(words[1], CultureInfo.InvariantCulture),
                long.Parse(words[2], CultureInfo.InvariantCulture),
                long.Parse(words[3], CultureInfo.InvariantCulture),
                long.Parse(words[4], CultureInfo.InvariantCulture),
                ulong.Parse(words[5], NumberStyles.HexNumber, CultureInfo.InvariantCulture))
            : throw new FormatException(
                "Expected seconds, resident bytes before and after, cells, their bytes and checksum; "
                + $"found '{line}'.");
    }

    /// <summary>The line that <see cref="Parse"/> reads.</summary>
    public string ToLine() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Seconds:F6} {StartBytes} {ResidentBytes} {Live} {PayloadBytes} {Checksum:x16}");
}
