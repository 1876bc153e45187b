using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Graphs, strings and byte arrays as objects of the pile: encodes each into a payload and decodes it again.
/// Owned by one pile; stateless, safe for many threads.</summary>
internal sealed class ValueStore(ObjectStore objects, GraphCodec graphs, PayloadDecoder decoder)
{
    private readonly ObjectStore _objects = objects;
    private readonly GraphCodec _graphs = graphs;
    private readonly PayloadDecoder _decoder = decoder;

    public PilePointer Put<T>(T value, PutHints hints)
        where T : notnull
    {
        if (value is string text)
            return Put(text, hints);
        if (value is byte[] bytes)
            return _objects.Put(PayloadKind.Bytes, bytes, hints);
        var buffer = _graphs.Encode(value);
        try
        {
            return _objects.Put(PayloadKind.Graph, buffer.WrittenSpan, hints);
        }
        finally
        {
            GraphCodec.Return(buffer);
        }
    }

    public PilePointer Put(string value, PutHints hints)
    {
        if (!TextCodec.IsLatin1(value))
            return _objects.Put(PayloadKind.Utf16, TextCodec.AsUtf16(value), hints);
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            return _objects.Put(PayloadKind.Latin1, EncodeLatin1(value, ref scratch), hints);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    public void Replace<T>(PilePointer pointer, T value, PutHints hints)
        where T : notnull
    {
        if (value is string text)
        {
            Replace(pointer, text, hints);
            return;
        }

        if (value is byte[] bytes)
        {
            _objects.Replace(pointer, PayloadKind.Bytes, bytes, hints);
            return;
        }

        var buffer = _graphs.Encode(value);
        try
        {
            _objects.Replace(pointer, PayloadKind.Graph, buffer.WrittenSpan, hints);
        }
        finally
        {
            GraphCodec.Return(buffer);
        }
    }

    public void Replace(PilePointer pointer, string value, PutHints hints)
    {
        if (!TextCodec.IsLatin1(value))
        {
            _objects.Replace(pointer, PayloadKind.Utf16, TextCodec.AsUtf16(value), hints);
            return;
        }

        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            _objects.Replace(pointer, PayloadKind.Latin1, EncodeLatin1(value, ref scratch), hints);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    public T Get<T>(PilePointer pointer)
        where T : notnull
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var found = _objects.ReadInto(pointer, ref scratch);
            return _decoder.Decode<T>(found.Kind, scratch.Span[..found.Length]);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    public string GetString(PilePointer pointer)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var found = _objects.ReadInto(pointer, ref scratch);
            if (found.Kind is not (PayloadKind.Latin1 or PayloadKind.Utf16))
                PayloadErrors.WrongKind(found.Kind, typeof(string));
            return TextCodec.Decode(found.Kind, scratch.Span[..found.Length]);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    /// <summary>Whether the pointer names an object now.</summary>
    public bool IsLive(PilePointer pointer) => _objects.IsLive(pointer);

    /// <summary>Copies the stored bytes of an object if the destination holds all of them. False: the object is
    /// gone.</summary>
    public bool TryRead(PilePointer pointer, Span<byte> destination, out int length)
    {
        var isThere = _objects.TryRead(pointer, destination, out var found);
        length = found.Length;
        return isThere;
    }

    public TResult? Project<T, TResult>(PilePointer pointer, Projection<T, TResult> projection)
        where T : class
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var found = _objects.ReadInto(pointer, ref scratch);
            return _decoder.Project(found.Kind, scratch.Span[..found.Length], projection);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    private static ReadOnlySpan<byte> EncodeLatin1(string value, ref ScratchBuffer scratch)
    {
        if (value.Length > scratch.Span.Length)
            scratch.Grow(value.Length);
        TextCodec.EncodeLatin1(value, scratch.Span);
        return scratch.Span[..value.Length];
    }
}
