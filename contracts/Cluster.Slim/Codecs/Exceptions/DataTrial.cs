using Cluster.Slim.Graph;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Finds out which entries of <see cref="Exception.Data"/> the serializer can carry. It writes each value with
/// a second writer, whose bytes are thrown away. So an entry that cannot be carried is left out, and the exception
/// still reaches the caller who waits for it. All values of a message are tried with the same second writer, so that
/// each object is tried once. Used by the writer of the message, by the second one, and by those that prove what these
/// two write.</summary>
internal sealed class DataTrial : IExceptionTrial
{
    private readonly SlimWriter _real;
    private readonly HashSet<Exception> _proven = new(ReferenceEqualityComparer.Instance);
    private readonly List<Exception> _met = [];

    // A message may be written once more, to prove that it can be read: what was decided holds there, too.
    private readonly Dictionary<object, bool> _trials = new(ReferenceEqualityComparer.Instance);
    private SlimWriter? _scratch;
    private bool _isRunning;

    private DataTrial(SlimWriter real) => _real = real;

    /// <summary>The trial that the exceptions of the writer's message share.</summary>
    public static IExceptionTrial Of(SlimWriter writer) => writer.Callbacks.Trial ??= new DataTrial(writer);

    /// <summary>Whether the value can be written as part of the exception.</summary>
    public bool IsCarried(Exception owner, object? value)
    {
        if (value is null || ExceptionDetail.IsSimple(value))
            return true;
        if (_isRunning)
        {
            // The value belongs to an exception that lies in the data of another one. The trial that is under way
            // decides about both together, because a trial cannot start another trial.
            _met.Add(owner);
            return true;
        }

        if (_proven.Contains(owner))
            return true;
        if (_trials.TryGetValue(value, out var isCarried))
            return isCarried;
        return _trials[value] = Try(value);
    }

    /// <summary>Whether the second writer meets an exception that is part of the message already, so that its data
    /// needs no trial. A proof of what the second writer wrote is read, and so it is whole.</summary>
    public bool IsSettled(SlimWriter writer, Exception exception) =>
        ReferenceEquals(writer, _scratch) && _real.Identity.Find(exception) >= 0;

    private bool Try(object value)
    {
        // A value may be anything that the list of the message allows.
        _scratch ??= NewScratch();
        _isRunning = true;
        try
        {
            _scratch.Context.WriteRoot(_scratch, value);
            _proven.UnionWith(_met);
            return true;
        }
        catch (SlimException)
        {
            _scratch = null;
            return false;
        }
        finally
        {
            _isRunning = false;
            _met.Clear();
        }
    }

    // A writer with a trace does not ask the host for references, and a trial must not do that either.
    private SlimWriter NewScratch()
    {
        SlimWriter scratch = new();
        scratch.Start(_real.Context, null);
        scratch.Allowed = _real.Allowed;
        scratch.OmitsExceptionStacks = _real.OmitsExceptionStacks;
        scratch.Callbacks.Trial = this;
        if (_real.References is not null)
            scratch.Trace = new MemberTrace(nameof(Exception.Data));
        return scratch;
    }
}
