using System.Text.Json;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The stored form of a cluster's fixed properties: JSON, because an operator may want to read it. The layout
/// is normative in <c>docs/formats/cluster-table.md</c>. Stateless.</summary>
public static class ClusterMetaCodec
{
    private const string HashName = "xxh3-64";

    /// <summary>Encodes the properties.</summary>
    /// <param name="meta">The properties.</param>
    public static byte[] Encode(ClusterMeta meta)
    {
        ArgumentNullException.ThrowIfNull(meta);
        var output = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(output))
        {
            json.WriteStartObject();
            json.WriteNumber("format", meta.FormatVersion);
            json.WriteString("clusterId", meta.ClusterId);
            json.WriteString("name", meta.Name);
            json.WriteNumber("partitionCount", meta.PartitionCount);
            json.WriteString("hash", HashName);

            // As text: many JSON readers lose the low bits of a number of 64 bits.
            json.WriteString("hashSeed", meta.HashSeed.ToString("x16", CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>Decodes the properties and checks that this version of the library can work with them.</summary>
    /// <param name="encoded">The bytes.</param>
    /// <exception cref="StateFormatException">They are damaged, or of another format version.</exception>
    public static ClusterMeta Decode(ReadOnlySpan<byte> encoded)
    {
        try
        {
            var reader = new Utf8JsonReader(encoded);
            using var document = JsonDocument.ParseValue(ref reader);
            return Decode(document.RootElement);
        }
        catch (Exception e) when (
            e is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw new StateFormatException(
                $"Cluster properties: not what this library writes: {LogText.Clean(e.Message)}", e);
        }
    }

    private static ClusterMeta Decode(JsonElement root)
    {
        var format = root.GetProperty("format").GetInt32();
        if (format != ClusterMeta.CurrentFormatVersion)
        {
            throw new StateFormatException($"Cluster properties: format version {format} was found, " +
                $"{ClusterMeta.CurrentFormatVersion} expected.");
        }

        var hash = root.GetProperty("hash").GetString();
        if (hash != HashName)
            throw new StateFormatException($"Cluster properties: hash '{LogText.Clean(hash)}' is unknown.");
        var count = root.GetProperty("partitionCount").GetInt32();
        if (count is < 1 or > ClusterMeta.MaxPartitionCount || !BitOperations.IsPow2(count))
            throw new StateFormatException($"Cluster properties: {count} is no partition count.");
        var seed = ulong.Parse(
            root.GetProperty("hashSeed").GetString() ?? "",
            NumberStyles.AllowHexSpecifier,
            CultureInfo.InvariantCulture);
        var name = root.GetProperty("name").GetString()
            ?? throw new StateFormatException("Cluster properties: the name is missing.");
        return new ClusterMeta(root.GetProperty("clusterId").GetGuid(), name, count, seed, format);
    }
}
