using Cluster.Glue.Faults;
using Cluster.Glue.References;
using Cluster.Glue.Signatures;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Client;

/// <summary>The arguments of one call on the caller's side: serialized one by one, or unchanged where the route shares
/// objects. Kept until the call ends, because it may be sent again elsewhere. Owned by the call, and reused with
/// it.</summary>
internal sealed class OutgoingArguments(ClientMethod method) : ISlimReferences
{
    private const int InitialBytes = 256;

    private readonly ArgumentBuffer _bytes = new(InitialBytes);
    private PooledBytes? _shared;
    private SlimMessageWriter? _writer;
    private ContractSerializer _serializer = null!;
    private WireBuffer? _plain;
    private ArgumentBox? _lastBox;
    private bool _isDescribed;
    private int _maxBytes;

    /// <summary>The arguments in one piece.</summary>
    public ReadOnlySpan<byte> Bytes => _shared is null ? _bytes.Joined().WrittenSpan : _shared.Span;

    /// <summary>The arguments, with bytes that the caller lends in their place.</summary>
    public EnvelopeBody Body => _shared is null ? _bytes.Body : _shared.Span;

    public int Count => _shared?.Count ?? _bytes.Count;

    /// <summary>Objects and streams among the arguments; null without any.</summary>
    public OutgoingReferences? References { get; private set; }

    /// <summary>The first argument where nothing was serialized.</summary>
    public ArgumentBox? FirstBox { get; private set; }

    /// <summary>Whether nothing is serialized.</summary>
    public bool IsShared { get; private set; }

    /// <summary>Why the arguments cannot be serialized; null: no failure.</summary>
    public GlueException? Failure { get; private set; }

    public void Begin(bool isShared, int maxBytes)
    {
        IsShared = isShared;
        _maxBytes = maxBytes;
        _bytes.BytesMax = maxBytes;
    }

    /// <summary>Takes one argument. Never throws.</summary>
    public void Write<T>(T argument)
    {
        if (Failure is not null)
            return;
        if (IsShared)
        {
            Add(new ArgumentBox<T>(argument));
            return;
        }

        try
        {
            if (_writer is null)
            {
                _isDescribed = method.WritesDescribed;
                _serializer = _isDescribed ? method.Owner.Serializer.Described : method.Owner.Serializer;
                _writer = _serializer.RentWriter();
                _writer.Begin(_bytes, this);
            }

            _writer.Write(argument);
        }
        catch (Exception exception)
        {
            Abort(exception);
        }
    }

    /// <summary>Notes that all arguments were taken.</summary>
    public void Complete()
    {
        if (_writer is null)
            return;
        try
        {
            _writer.Complete();
            _serializer.Return(_writer);
            _writer = null;
        }
        catch (Exception exception)
        {
            Abort(exception);
        }
    }

    /// <summary>Takes the arguments out, for several attempts at this call.</summary>
    /// <exception cref="GlueException">They could not be serialized.</exception>
    public CallArguments Take()
    {
        Complete();
        if (Failure is not null)
            throw Failure;
        var taken = new CallArguments(Bytes.ToArray(), _isDescribed, FirstBox, References);
        References = null;
        return taken;
    }

    /// <summary>Takes over arguments instead of writing them.</summary>
    public void Set(CallArguments arguments)
    {
        _bytes.Joined().WriteBytes(arguments.Bytes);
        _isDescribed = arguments.IsDescribed;
        FirstBox = arguments.FirstBox;
        References = arguments.References;
    }

    /// <summary>Writes the arguments again with descriptions of their types, for a server of another build. False: that
    /// failed.</summary>
    public bool TryDescribe()
    {
        if (_isDescribed || _bytes.Count == 0)
            return true;
        var described = new WireBuffer(InitialBytes, _maxBytes);
        var reader = method.Owner.Serializer.RentReader();
        var writer = method.Owner.Serializer.Described.RentWriter();
        try
        {
            reader.Begin(new ReadOnlySequence<byte>((_plain ?? _bytes.Joined()).WrittenMemory), this);
            writer.Begin(described, this);
            method.CopyArguments(reader, writer);
            reader.Complete();
            writer.Complete();
            if (References is { } references)
            {
                references.Unbind();
                references.Serializer = method.Owner.Serializer.Described;
            }

            _plain?.Reset();
            _plain = null;
            _bytes.Reset();
            _bytes.Joined().WriteBytes(described.WrittenSpan);
            _isDescribed = true;
            return true;
        }
        catch (Exception exception)
        {
            reader.Abort();
            writer.Abort();
            Failure = GlueErrors.FromWriting(method.Contract, exception);
            return false;
        }
        finally
        {
            described.Reset();
            method.Owner.Serializer.Return(reader);
            method.Owner.Serializer.Described.Return(writer);
        }
    }

    /// <summary>Exports references over a link, and puts their ids in front of the message.</summary>
    /// <exception cref="GlueException">A limit was reached, or an object was released.</exception>
    public void Bind(OutgoingReferences references, ReferenceTable table)
    {
        if (_plain is null)
        {
            _plain = new WireBuffer(0, int.MaxValue);
            _plain.WriteBytes(Bytes);
        }

        _shared?.Release();
        _shared = null;
        references.Bind(table, _plain.WrittenSpan, _bytes.Joined());
    }

    /// <summary>The message for a sender that may read it after the call has ended; the sender releases it.</summary>
    public PooledBytes Share() => (_shared ??= _bytes.Joined().Detach()).AddUser();

    /// <summary>Called by the serializer for an argument, or a part of one, that is passed by reference.</summary>
    public int Export(Type declared, object value) =>
        (References ??= new OutgoingReferences(_serializer)).Export(declared, value);

    public object Import(Type declared, int number) => References!.Import(declared, number);

    public void Reset()
    {
        FirstBox = null;
        _lastBox = null;
        Failure = null;
        References?.Unbind();
        References = null;
        _plain?.Reset();
        _plain = null;
        _shared?.Release();
        _shared = null;
        _bytes.Reset();
    }

    private void Add(ArgumentBox box)
    {
        if (_lastBox is null)
            FirstBox = box;
        else
            _lastBox.Next = box;
        _lastBox = box;
    }

    private void Abort(Exception exception)
    {
        Failure = GlueErrors.FromWriting(method.Contract, exception);
        _writer?.Abort();
        if (_writer is not null)
            _serializer.Return(_writer);
        _writer = null;
    }
}
