using Cluster.Slim.Graph;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Finds out which entries of <see cref="Exception.Data"/> the serializer can carry. It writes each value with
/// a second writer, whose bytes are thrown away. The message gets the text of a value that cannot be carried, so the
/// exception still reaches the caller who waits for it. All values of a message are tried with the same second writer,
/// so each object is tried once. The message's writer, the second writer, and the writers that prove their output share
/// the trial.</summary>
internal sealed class DataTrial : IExceptionTrial
{
    private readonly SlimWriter _real;
    private readonly HashSet<Exception> _proven = new(ReferenceEqualityComparer.Instance);
    private readonly List<Exception> _met = [];

    // A message may be written again to prove that a reader can read it; the same decisions must hold then.
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

    /// <summary>Whether the second writer has met an exception that the message contains already. Its data need no
    /// trial then. A proof of the second writer's output does read the data, so for a proof the exception is written
    /// whole.</summary>
    public bool IsSettled(SlimWriter writer, Exception exception) =>
        ReferenceEquals(writer, _scratch) && _real.Identity.Find(exception) >= 0;

    private bool Try(object value)
    {
        // The trial uses the closed list of the message: a value may have any type of that list.
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

    // A trial must not ask the host for references. A writer with a trace does not ask.
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
