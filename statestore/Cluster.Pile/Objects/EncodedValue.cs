using Cluster.Pile.Layout;

namespace Cluster.Pile.Objects;

/// <summary>A value as the bytes that the pile stores: a byte array as it is, a string as text, any other value as a
/// graph. Owned by the method that declares it, which disposes it; mutable, do not copy.</summary>
internal ref struct EncodedValue
{
    private readonly ArrayBufferWriter<byte>? _graph;
    private ScratchBuffer _scratch;

    /// <summary>Encodes a value. Text of one byte per character is written to the stack where it fits.</summary>
    public EncodedValue(GraphCodec graphs, object value, Span<byte> stack)
    {
        _scratch = new ScratchBuffer(stack);
        if (value is byte[] bytes)
        {
            Kind = PayloadKind.Bytes;
            Bytes = bytes;
        }
        else if (value is not string text)
        {
            _graph = graphs.Encode(value);
            Kind = PayloadKind.Graph;
            Bytes = _graph.WrittenSpan;
        }
        else if (!TextCodec.IsLatin1(text))
        {
            Kind = PayloadKind.Utf16;
            Bytes = TextCodec.AsUtf16(text);
        }
        else
        {
            if (text.Length > stack.Length)
                _scratch.Grow(text.Length);
            TextCodec.EncodeLatin1(text, _scratch.Span);
            Kind = PayloadKind.Latin1;
            Bytes = _scratch.Span[..text.Length];
        }
    }

    public PayloadKind Kind { get; }

    public ReadOnlySpan<byte> Bytes { get; }

    public void Dispose()
    {
        if (_graph is not null)
            GraphCodec.Return(_graph);
        _scratch.Dispose();
    }
}
