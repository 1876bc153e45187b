using Cluster.Glue.Wire;

namespace Cluster.Glue;

/// <summary>Named values, text or bytes, that are sent with the arguments of a call or with its result. 64 KiB at most.
/// Names are case-sensitive. Not thread-safe.</summary>
public sealed class GlueHeaders
{
    private readonly Dictionary<string, (byte[] Value, bool IsBinary)> _values = new(StringComparer.Ordinal);

    /// <summary>The names that have a value.</summary>
    public IReadOnlyCollection<string> Names => _values.Keys;

    /// <summary>Sets a text.</summary>
    /// <param name="name">At most 256 bytes in UTF-8; names that begin with <c>glue-</c> are Glue's own.</param>
    /// <param name="value">The text.</param>
    public GlueHeaders Set(string name, string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        CheckName(name);
        _values[name] = (Encoding.UTF8.GetBytes(value), false);
        return this;
    }

    /// <summary>Sets bytes.</summary>
    /// <param name="name">At most 256 bytes in UTF-8; names that begin with <c>glue-</c> are Glue's own.</param>
    /// <param name="value">The bytes, which are copied.</param>
    public GlueHeaders Set(string name, ReadOnlySpan<byte> value)
    {
        CheckName(name);
        _values[name] = (value.ToArray(), true);
        return this;
    }

    /// <summary>Removes a value; false when there was none.</summary>
    /// <param name="name">Its name.</param>
    public bool Remove(string name) => _values.Remove(name);

    /// <summary>The text of that name; null when there is none.</summary>
    /// <param name="name">Its name.</param>
    public string? FindText(string name) =>
        _values.TryGetValue(name, out var found) && !found.IsBinary
            ? Encoding.UTF8.GetString(found.Value)
            : null;

    /// <summary>The bytes of that name; null when there are none.</summary>
    /// <param name="name">Its name.</param>
    public byte[]? FindBytes(string name) =>
        _values.TryGetValue(name, out var found) && found.IsBinary
            ? found.Value.ToArray()
            : null;

    internal bool IsEmpty => _values.Count == 0;

    internal GlueHeaders Copy()
    {
        var copy = new GlueHeaders();
        CopyTo(copy);
        return copy;
    }

    internal void CopyTo(GlueHeaders others)
    {
        foreach ((var name, var value) in _values)
            others._values[name] = value;
    }

    internal static GlueHeaders Read(ReadOnlySpan<byte> block)
    {
        var headers = new GlueHeaders();
        var reader = new WireReader(block);
        while (HeaderBlock.TryRead(ref reader, out var entry))
        {
            var name = Encoding.UTF8.GetString(entry.Name);
            if (!name.StartsWith(HeaderBlock.OwnPrefix, StringComparison.Ordinal))
                headers._values[name] = (entry.Value.ToArray(), entry.IsBinary);
        }

        return headers;
    }

    internal void Write(WireBuffer output)
    {
        foreach ((var name, (var value, var isBinary)) in _values)
        {
            output.WriteText(name);
            output.WriteVarint(((ulong)value.Length << 1) | (isBinary ? 1UL : 0UL));
            output.WriteBytes(value);
        }
    }

    internal byte[] ToBlock()
    {
        if (IsEmpty)
            return [];
        var output = new WireBuffer(256, int.MaxValue);
        Write(output);
        var block = output.WrittenSpan.ToArray();
        output.Reset();
        return block;
    }

    private static void CheckName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        const string Own = HeaderBlock.OwnPrefix;
        if (name.StartsWith(Own, StringComparison.Ordinal))
            throw new ArgumentException($"'{name}': names that begin with {Own} are Glue's own.", nameof(name));
        if (Encoding.UTF8.GetByteCount(name) > HeaderBlock.NameBytesMax)
            throw new ArgumentException($"The name is longer than {HeaderBlock.NameBytesMax} bytes.", nameof(name));
    }
}
