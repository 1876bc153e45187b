using System.Runtime.ExceptionServices;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Hosting;

/// <summary>Reads the messages of one writer session in order. Belongs to one thread at a time and says so when
/// misused. A message whose content is refused does not end the session; one with a bad header does, because its type
/// descriptions are lost, and the session then refuses everything until it is reopened.</summary>
public sealed class SlimReaderSession : IDisposable
{
    private readonly SlimEngine _engine;
    private readonly ReaderTypes _types = new(isSession: true);
    private readonly SlimReader _reader;
    private readonly SessionGuard _guard = new(nameof(SlimReaderSession));
    private uint _sequence;
    private int _rootsOffset;
    private string? _poison;

    internal SlimReaderSession(SlimEngine engine)
    {
        _engine = engine;
        _reader = new SlimReader(_types);
    }

    /// <summary>Reads the next message.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="message">Exactly one message.</param>
    /// <exception cref="SlimException">The bytes are refused.</exception>
    /// <exception cref="InvalidOperationException">Another call is in progress.</exception>
    public T Deserialize<T>(ReadOnlySpan<byte> message)
    {
        _guard.Enter();
        try
        {
            var failure = TryRead(message, out T value);
            if (failure is not null)
            {
                failure.MemberPath ??= PathOf<T>(message);
                ExceptionDispatchInfo.Throw(failure);
            }

            return value;
        }
        finally
        {
            _guard.Leave();
        }
    }

    /// <summary>Reads the next message. Several segments are copied into one piece first.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="message">Exactly one message.</param>
    /// <exception cref="SlimException">The bytes are refused.</exception>
    public T Deserialize<T>(in ReadOnlySequence<byte> message)
    {
        var bytes = _engine.Linearize(message, out var rented);
        try
        {
            return Deserialize<T>(bytes.Span);
        }
        finally
        {
            if (rented is not null)
                ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <summary>Closes the session.</summary>
    public void Dispose() => _guard.Close();

    private SlimException? TryRead<T>(ReadOnlySpan<byte> message, out T value)
    {
        _rootsOffset = 0;
        value = default!;
        try
        {
            ThrowIfPoisoned();
            value = Read(_engine.Roots.Of<T>(), message);
            return null;
        }
        catch (Exception e) when (SlimEngine.IsWrapped(e))
        {
            return SlimEngine.Failed(e, _reader);
        }
        finally
        {
            _reader.Reset();
        }
    }

    private unsafe T Read<T>(Root<T> root, ReadOnlySpan<byte> message)
    {
        fixed (byte* start = message)
        {
            _reader.Begin(_engine);
            _reader.Start(start, message.Length, 0);
            ReadHeader(message.Length);
            _rootsOffset = (int)_reader.Offset;
            var value = RootReader.Read(_reader, root);
            _reader.CheckEnd();
            return value;
        }
    }

    // Zero as long as the header has not been read: what it refuses stands in no member.
    private string? PathOf<T>(ReadOnlySpan<byte> message) => _rootsOffset == 0
        ? null
        : MemberPaths.Find(_engine, _types, message[_rootsOffset..], [_engine.Roots.Of<T>()]);

    // Numbers and descriptions count as received even if the content after them is refused.
    private void ReadHeader(int length)
    {
        _poison = "the header of a message was damaged";
        _engine.CheckMessageBytes(length);
        MessageHeader.Read(_reader);
        var sequence = _reader.ReadVar();
        if (sequence != _sequence)
        {
            _poison = $"message {_sequence} was expected and message {sequence} came";
            ThrowIfPoisoned();
        }

        var count = _reader.ReadCount(8);
        for (var i = 0; i < count; i++)
            _types.ReadDescription(_reader);
        if (count > 0)
            CheckTotal(_reader.ReadVar());
        _sequence = unchecked(_sequence + 1);
        _poison = null;
    }

    // A wrong count would give every later type the index of another one.
    private void CheckTotal(uint total)
    {
        if (total == _types.Count)
            return;
        _poison = $"{total} types had been described, and {_types.Count} descriptions came";
        ThrowIfPoisoned();
    }

    private void ThrowIfPoisoned()
    {
        if (_poison is not null)
            Throw.Malformed($"The session is out of step ({_poison}); reopen it on both sides.");
    }
}
