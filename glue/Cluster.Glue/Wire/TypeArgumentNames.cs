namespace Cluster.Glue.Wire;

/// <summary>The names of the type arguments of one closed generic method on the wire: a count and texts.
/// Pure.</summary>
internal static class TypeArgumentNames
{
    /// <summary>The most type parameters of a generic method of a contract.</summary>
    public const int CountMax = 16;

    private const int NameBytesMax = 8192;

    public static void Write(WireBuffer output, string[] names)
    {
        output.WriteVarint((ulong)names.Length);
        foreach (var name in names)
            output.WriteText(name);
    }

    public static string[] Read(ref WireReader reader)
    {
        var count = reader.ReadLength(CountMax, "type argument count");
        if (count == 0)
            return [];
        var names = new string[count];
        for (var i = 0; i < count; i++)
            names[i] = reader.ReadText(NameBytesMax, "type argument");
        return names;
    }

    /// <summary>The header block of a call that names a closed generic method; empty for other methods.</summary>
    public static byte[] ToHeaders(string[] names)
    {
        if (names.Length == 0)
            return [];
        var value = new WireBuffer(256, int.MaxValue);
        Write(value, names);
        var headers = new WireBuffer(256, int.MaxValue);
        HeaderBlock.WriteBinary(headers, HeaderBlock.TypeArguments, value.WrittenSpan);
        var bytes = headers.WrittenSpan.ToArray();
        value.Reset();
        headers.Reset();
        return bytes;
    }

    public static string[] FromHeaders(ReadOnlySpan<byte> headers)
    {
        if (headers.IsEmpty)
            return [];
        var reader = new WireReader(HeaderBlock.Find(headers, HeaderBlock.TypeArguments));
        return reader.AtEnd ? [] : Read(ref reader);
    }
}
