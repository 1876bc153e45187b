namespace Cluster.NodeHost;

/// <summary>The members of an exported file, as JSON has them. Filled once, then only read.</summary>
internal sealed class TableFileForm
{
    /// <summary>The layout of this file.</summary>
    public int Format { get; init; }

    /// <summary>When it was exported.</summary>
    public DateTimeOffset ExportedAt { get; init; }

    /// <summary>The store that it was exported from.</summary>
    public string Source { get; init; } = "";

    /// <summary>The version of the table, for people.</summary>
    public long Version { get; init; }

    /// <summary>The properties in their stored form.</summary>
    public byte[] Meta { get; init; } = [];

    /// <summary>The table in its stored form.</summary>
    public byte[] Table { get; init; } = [];
}
