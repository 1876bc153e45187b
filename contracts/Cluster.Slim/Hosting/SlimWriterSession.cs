using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Hosting;

/// <summary>A stream of messages to one reader session: a type is described in the first message that uses it, later
/// ones send a small number. Belongs to one thread at a time and says so when misused.</summary>
/// <remarks>1. <see cref="Serialize{T}"/> writes a message. 2. The caller hands its bytes over. 3. <see cref="Commit"/>
/// makes its type descriptions valid. A message that is never committed must not reach the reader; the next one takes
/// its place.</remarks>
public sealed class SlimWriterSession : IDisposable
{
    private readonly SlimEngine _engine;
    private readonly WriterTypes _types = new(isSession: true);
    private readonly SlimWriter _body;
    private readonly SlimWriter _header;
    private readonly SessionGuard _guard = new(nameof(SlimWriterSession));
    private uint _sequence;
    private bool _isCommittable;

    internal SlimWriterSession(SlimEngine engine)
    {
        _engine = engine;
        _body = new SlimWriter(_types);
        _header = new SlimWriter(_types);
    }

    /// <summary>Writes the next message. One that was written before and not committed is forgotten.</summary>
    /// <typeparam name="T">The declared type of the root; its closed list applies.</typeparam>
    /// <param name="output">Advanced only when the message is complete.</param>
    /// <param name="value">The root; may be null.</param>
    /// <exception cref="SlimException">The graph cannot be carried; the session goes on.</exception>
    /// <exception cref="InvalidOperationException">Another call is in progress.</exception>
    public void Serialize<T>(IBufferWriter<byte> output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var root = _engine.Roots.Of<T>();
        SlimException? failure = null;
        _guard.Enter();
        try
        {
            ForgetUncommitted();
            _body.Start(_engine, null);
            RootWriter.Write(_body, _engine, root, ref Unsafe.As<T, byte>(ref value));
            _body.Finish();
            WriteHeader();
            output.Write(_header.Written);
            output.Write(_body.Written);
            _isCommittable = true;
        }
        catch (SlimException e)
        {
            failure = SlimEngine.Failed(e, _body);
            ForgetUncommitted();
        }
        finally
        {
            _body.Reset();
            _header.Reset();
            _guard.Leave();
        }

        if (failure is not null)
            _engine.Rethrow(failure, root, ref Unsafe.As<T, byte>(ref value));
    }

    /// <summary>Declares the last message handed over: the reader will know its types and expect the next
    /// number.</summary>
    /// <exception cref="InvalidOperationException">No message has been written since the last commit.</exception>
    public void Commit()
    {
        _guard.Enter();
        try
        {
            if (!_isCommittable)
                throw new InvalidOperationException("There is no message to commit: serialize one first.");
            _isCommittable = false;
            _types.Commit();
            _sequence = unchecked(_sequence + 1);
        }
        finally
        {
            _guard.Leave();
        }
    }

    /// <summary>Closes the session.</summary>
    public void Dispose() => _guard.Close();

    private void ForgetUncommitted()
    {
        _isCommittable = false;
        _types.RollBack();
    }

    private void WriteHeader()
    {
        _header.Start(_engine, null);
        MessageHeader.Write(_header, _engine, isSession: true);
        _header.WriteVar(_sequence);
        _header.WriteVar((uint)_types.UncommittedCount);
        foreach (var serializer in _types.Uncommitted)
            WriterTypes.WriteDescription(_header, serializer);
        if (_types.UncommittedCount > 0)
            _header.WriteVar((uint)_types.Count);
    }
}
