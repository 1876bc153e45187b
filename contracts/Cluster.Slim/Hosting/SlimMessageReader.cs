using System.Runtime.ExceptionServices;
using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Hosting;

/// <summary>Reads the typed roots of one message. The values may be used after <see cref="Complete"/>, which checks
/// that no bytes follow. Reusable and poolable: after <see cref="Complete"/> or <see cref="Abort"/> the reader holds no
/// references. One user at a time; no lock protects the reader.</summary>
/// <param name="serializer">The serializer whose options and caches apply.</param>
public sealed class SlimMessageReader(SlimSerializer serializer)
{
    private readonly SlimEngine _engine = serializer.Engine;
    private readonly SlimReader _reader = new();
    private readonly List<Root> _roots = [];
    private ReadOnlyMemory<byte> _message;
    private byte[]? _rented;
    private int _offset;
    private bool _isOpen;

    /// <summary>Begins a message and checks its header.</summary>
    /// <param name="message">Exactly one message; must stay unchanged until <see cref="Complete"/> or
    /// <see cref="Abort"/>. Several segments are copied.</param>
    /// <param name="references">Gives the objects in places of external interfaces; null: such objects are
    /// refused.</param>
    /// <param name="bytes">In whose memory <see cref="SlimBytes"/> of the message lie.
    /// <see cref="SlimBytesMemory.Lent"/> is only for a message of one segment.</param>
    /// <exception cref="InvalidOperationException">A message is open.</exception>
    /// <exception cref="SlimException">The header is refused.</exception>
    public void Begin(
        in ReadOnlySequence<byte> message,
        ISlimReferences? references = null,
        SlimBytesMemory bytes = SlimBytesMemory.Own)
    {
        if (_isOpen)
            throw new InvalidOperationException("A message is open: complete or abort it first.");
        _message = _engine.Linearize(message, out _rented);
        _isOpen = true;
        _offset = 0;
        _reader.Begin(_engine);
        // The copy of several segments goes back to the pool before its bytes are used.
        _reader.LendFrom(_message, _rented is not null && bytes == SlimBytesMemory.Lent ? SlimBytesMemory.Own : bytes);
        if (references is not null)
            _reader.Imports = new HostImports(references);
        Run<Root?, bool>(null, static (reader, _) =>
        {
            MessageHeader.Read(reader);
            return true;
        });
    }

    /// <summary>Reads the next root.</summary>
    /// <typeparam name="T">The declared type with which the root was written; its closed list applies.</typeparam>
    /// <exception cref="SlimException">The bytes are refused. The message is aborted.</exception>
    public T Read<T>()
    {
        ThrowIfClosed();
        var root = _engine.Roots.Of<T>();
        _roots.Add(root);
        return Run(root, static (reader, root) => RootReader.Read(reader, root));
    }

    /// <summary>Ends the message and checks that no bytes follow.</summary>
    /// <exception cref="SlimMalformedException">Bytes follow the last root that was read.</exception>
    public void Complete()
    {
        ThrowIfClosed();
        var left = _message.Length - _offset;
        if (left == 0)
            _reader.Accept();
        Abort();
        if (left > 0)
            Throw.Malformed($"{left} bytes follow the last root of the message.");
    }

    /// <summary>Drops the open message, if there is one.</summary>
    public void Abort()
    {
        if (!_isOpen)
            return;
        _isOpen = false;
        _message = default;
        _reader.Reset();
        _roots.Clear();
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
        _rented = null;
    }

    internal object? ReadObject(Type type)
    {
        ThrowIfClosed();
        var root = _engine.Roots.Of(type);
        _roots.Add(root);
        return Run(root, static (reader, root) => RootReader.ReadObject(reader, root));
    }

    private unsafe TResult Run<TState, TResult>(TState state, Func<SlimReader, TState, TResult> read)
    {
        SlimException failure;
        try
        {
            fixed (byte* start = _message.Span)
            {
                _reader.Start(start, _message.Length, _offset);
                var result = read(_reader, state);
                _offset = _reader.Stop();
                return result;
            }
        }
        catch (Exception e) when (SlimEngine.IsWrapped(e))
        {
            failure = SlimEngine.Failed(e, _reader);
        }

        failure.MemberPath ??= MemberPaths.Find(
            _engine,
            new ReaderTypes(isSession: false),
            _message.Span,
            CollectionsMarshal.AsSpan(_roots),
            _reader.Imports);
        Abort();
        ExceptionDispatchInfo.Throw(failure);
        return default!;
    }

    private void ThrowIfClosed()
    {
        if (!_isOpen)
            throw new InvalidOperationException("No message is open: call Begin first.");
    }
}
