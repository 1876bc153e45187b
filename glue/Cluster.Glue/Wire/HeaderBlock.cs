namespace Cluster.Glue.Wire;

/// <summary>The headers of an envelope as bytes. Each header is its name, then a number, then the value. The lowest bit
/// of the number says that the value is binary; its other bits are the length of the value. Pure.</summary>
internal static class HeaderBlock
{
    /// <summary>The type arguments of a call to a generic method, for a named call.</summary>
    public const string TypeArguments = "glue-types";

    /// <summary>A named call describes its types, and its answer shall do so, too.</summary>
    public const string Described = "glue-described";

    /// <summary>The instance of a stateful service: incarnation and id, 16 bytes each.</summary>
    public const string Instance = "glue-instance";

    /// <summary>The caller's ambient context: a header block of text values.</summary>
    public const string Context = "glue-context";

    /// <summary>The caller's bearer token, on links only: a unary request has it in its HTTP header.</summary>
    public const string Authorization = "glue-authorization";

    /// <summary>The trace of the call, in the form of W3C Trace Context.</summary>
    public const string TraceParent = "traceparent";

    /// <summary>Data that tracing systems add to the trace.</summary>
    public const string TraceState = "tracestate";

    /// <summary>The beginning of names that are reserved for Glue.</summary>
    public const string OwnPrefix = "glue-";

    public const int NameBytesMax = 256;

    /// <summary>One header in the block.</summary>
    public readonly ref struct Entry
    {
        public required ReadOnlySpan<byte> Name { get; init; }

        public required ReadOnlySpan<byte> Value { get; init; }

        public required bool IsBinary { get; init; }

        public bool IsNamed(string name) =>
            Encoding.UTF8.GetByteCount(name) == Name.Length && Encoding.UTF8.GetString(Name) == name;
    }

    public static void WriteBinary(WireBuffer output, string name, ReadOnlySpan<byte> value)
    {
        output.WriteText(name);
        output.WriteVarint(((ulong)value.Length << 1) | 1);
        output.WriteBytes(value);
    }

    public static void WriteText(WireBuffer output, string name, string value)
    {
        var length = Encoding.UTF8.GetByteCount(value);
        output.WriteText(name);
        output.WriteVarint((ulong)length << 1);
        Encoding.UTF8.GetBytes(value, output.GetSpan(length));
        output.Advance(length);
    }

    /// <summary>Reads the next header. False: the block has no more.</summary>
    public static bool TryRead(scoped ref WireReader reader, out Entry entry)
    {
        entry = default;
        if (reader.AtEnd)
            return false;
        var name = reader.ReadBytes(reader.ReadLength(NameBytesMax, "header name"), "header name");
        var length = reader.ReadVarint("header value");
        if (length >> 1 > (ulong)reader.Remaining)
            throw new WireException($"header value: {length >> 1} bytes are announced, {reader.Remaining} are there.");
        entry = new Entry
        {
            Name = name,
            Value = reader.ReadBytes((int)(length >> 1), "header value"),
            IsBinary = (length & 1) != 0,
        };
        return true;
    }

    /// <summary>The value of one header; empty when there is none.</summary>
    public static ReadOnlySpan<byte> Find(ReadOnlySpan<byte> headers, string name)
    {
        var reader = new WireReader(headers);
        while (TryRead(ref reader, out var entry))
        {
            if (entry.IsNamed(name))
                return entry.Value;
        }

        return default;
    }

    /// <summary>The trace that the block names; the default value: it names none.</summary>
    public static ActivityContext TraceIn(ReadOnlySpan<byte> headers)
    {
        var parent = Find(headers, TraceParent);
        if (parent.IsEmpty)
            return default;
        var state = Find(headers, TraceState);
        return ActivityContext.TryParse(
            Encoding.UTF8.GetString(parent),
            state.IsEmpty ? null : Encoding.UTF8.GetString(state),
            isRemote: true,
            out var trace)
            ? trace
            : default;
    }

    public static void WriteContext(WireBuffer output, IEnumerable<KeyValuePair<string, string>> context)
    {
        var value = new WireBuffer(256, int.MaxValue);
        foreach ((var name, var text) in context)
            WriteText(value, name, text);
        WriteBinary(output, Context, value.WrittenSpan);
        value.Reset();
    }
}
