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

    private readonly WireBuffer _bytes = new(InitialBytes, int.MaxValue);
    private ContractSerializer _serializer = null!;
    private SlimMessageReader? _reader;
    private ArgumentBox? _nextBox;
    private IncomingReferences? _references;
    private bool _hasBoxes;

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

    /// <summary>Takes the objects of a caller in this process without a copy.</summary>
    public void Set(ArgumentBox? first)
    {
        _nextBox = first;
        _hasBoxes = true;
    }

    /// <summary>Reads the references in the body, before any argument is read.</summary>
    public void FindReferences(ReferenceTable? table)
    {
        if (table is not null && IncomingReferences.ArePresent(_bytes.WrittenSpan))
            _references = IncomingReferences.Read(_bytes.WrittenSpan, table, _serializer);
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
                new ReadOnlySequence<byte>(_bytes.WrittenMemory[(_references?.MessageStart ?? 0)..]), _references);
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
        else if (!_hasBoxes && _bytes.Count > 0)
        {
            throw new WireException($"arguments: {_bytes.Count} bytes for a method without any.");
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
            IncomingReferences.Discard(_bytes.WrittenSpan, table);
        _references = null;
    }

    public void Reset()
    {
        _bytes.Reset();
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
