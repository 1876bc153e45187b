using Cluster.Slim.Graph;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs;

/// <summary>
/// Finds out which data of exceptions can be carried, by writing it to nowhere first: an exception must reach whoever
/// waits for it, whatever somebody has put into its data. All trials of a message share one writer, so that each object
/// is tried once. Owned by one writer and the one it tries with.
/// </summary>
internal sealed class DataTrial
{
    private readonly SlimWriter _real;
    private readonly HashSet<Exception> _proven = new(ReferenceEqualityComparer.Instance);
    private readonly List<Exception> _met = [];
    private Root? _root;
    private SlimWriter? _scratch;
    private bool _isRunning;

    private DataTrial(SlimWriter real) => _real = real;

    /// <summary>The trial that the exceptions of the writer's message share.</summary>
    internal static DataTrial Of(SlimWriter writer) => writer.Callbacks.Trial ??= new DataTrial(writer);

    /// <summary>Whether the value can be written as part of the exception.</summary>
    internal bool IsCarried(Exception owner, object? value)
    {
        if (value is null || ExceptionDetail.IsSimple(value))
            return true;
        if (_isRunning)
        {
            // Data of data is carried as a whole or not at all, so that trials do not nest.
            _met.Add(owner);
            return true;
        }

        return _proven.Contains(owner) || Try(value);
    }

    /// <summary>Whether nothing of the exception has to be tried, because the message has it already.</summary>
    internal bool IsSettled(Exception exception) => _isRunning && _real.Identity.Find(exception) >= 0;

    private bool Try(object value)
    {
        _root ??= _real.Engine.Roots.Of(_real.Allowed.Root);
        _scratch ??= NewScratch();
        _isRunning = true;
        try
        {
            _scratch.WriteRootObject(_root, value);
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

    // A traced writer does not ask the host for references.
    private SlimWriter NewScratch()
    {
        SlimWriter scratch = new();
        scratch.Start(_real.Engine, null);
        scratch.OmitsExceptionStacks = _real.OmitsExceptionStacks;
        scratch.Callbacks.Trial = this;
        if (_real.References is not null)
            scratch.Trace = new MemberTrace(nameof(Exception.Data));
        return scratch;
    }
}
