using Cluster.Glue.Client;
using Cluster.Glue.References;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Serving;

/// <summary>The arguments of one served call: bytes until the method is about to run, or objects of a caller in this
/// process. Owned by the call, and reused with it.</summary>
internal sealed class IncomingArguments
{
    private const int InitialBytes = 256;
    private const int CopiedBytesMax = 128;

    private readonly WireBuffer _bytes = new(InitialBytes, int.MaxValue);
    private ReadOnlyMemory<byte> _lent;
    private IReceivedMessage? _message;
    private ContractSerializer _serializer = null!;
    private SlimMessageReader? _reader;
    private ArgumentBox? _nextBox;
    private IncomingReferences? _references;
    private bool _hasBoxes;

    private ReadOnlyMemory<byte> Bytes => _message is null ? _bytes.WrittenMemory : _lent;

    /// <summary>The number of bytes; 0 where the arguments are objects.</summary>
    public int Count => Bytes.Length;

    /// <summary>Whether all arguments were read.</summary>
    public bool AreRead { get; private set; }

    public void Begin(ContractSerializer serializer) => _serializer = serializer;

    /// <summary>Copies the bytes, or takes over the array if the body has one for itself.</summary>
    public void Set(ReadOnlySpan<byte> body, PooledBytes? own)
    {
        if (own is null)
            _bytes.WriteBytes(body);
        else
            _bytes.Adopt(own);
    }

    /// <summary>Whether arguments of this length are read where they have arrived. Smaller ones are copied as fast, and
    /// do not keep the whole batch.</summary>
    public static bool AreLent(int length) => length > CopiedBytesMax;

    /// <summary>Takes bytes of a received message, which is kept until the call has ended.</summary>
    public void Lend(ReadOnlyMemory<byte> body, IReceivedMessage message)
    {
        message.Keep();
        (_lent, _message) = (body, message);
    }

    /// <summary>Takes the objects of a caller in this process without a copy.</summary>
    public void Set(ArgumentBox? first)
    {
        _nextBox = first;
        _hasBoxes = true;
    }

    /// <summary>Reads the references in the body, before any argument is read.</summary>
    public void FindReferences(ReferenceTable? table)
    {
        if (table is not null && IncomingReferences.ArePresent(Bytes.Span))
            _references = IncomingReferences.Read(Bytes.Span, table, _serializer);
    }

    public T Read<T>()
    {
        if (_hasBoxes)
        {
            var box = (ArgumentBox<T>)_nextBox!;
            _nextBox = box.Next;
            return box.Value;
        }

        if (_reader is null)
        {
            _reader = _serializer.RentReader();
            _reader.Begin(
                new ReadOnlySequence<byte>(Bytes[(_references?.MessageStart ?? 0)..]),
                _references,
                SlimBytesMemory.Lent);
        }

        return _reader.Read<T>();
    }

    /// <summary>Ends the reading of arguments.</summary>
    /// <exception cref="WireException">The body has more arguments than the method.</exception>
    public void End()
    {
        if (_reader is not null)
        {
            _reader.Complete();
            ReturnReader();
            _references?.Close();
            _references = null;
        }
        else if (!_hasBoxes && Bytes.Length > 0)
        {
            throw new WireException($"arguments: {Bytes.Length} bytes for a method without any.");
        }

        AreRead = true;
    }

    /// <summary>Gives back the reader and the references of a call whose method failed or does not run.</summary>
    public void Abandon(ReferenceTable? table)
    {
        if (_reader is not null)
        {
            _reader.Abort();
            ReturnReader();
        }

        if (_references is not null)
            _references.Abandon();
        else if (!AreRead)
            IncomingReferences.Discard(Bytes.Span, table);
        _references = null;
    }

    public void Reset()
    {
        _bytes.Reset();
        _message?.GiveBack();
        (_lent, _message) = (default, null);
        _nextBox = null;
        _hasBoxes = false;
        AreRead = false;
    }

    private void ReturnReader()
    {
        _serializer.Return(_reader!);
        _reader = null;
    }
}
