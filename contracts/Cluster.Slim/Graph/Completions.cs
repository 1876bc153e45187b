using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>The work that is left when all objects of a graph are read: hashed and sorted collections, because the hash
/// of a key may depend on objects that are read later, and objects that user code completes. Children are completed
/// first, see <see cref="CompletionOrder"/>. Owned by one reader.</summary>
internal sealed class Completions
{
    private const int RetainedCount = 1024;

    // The memory that one remembered callback or substitute takes.
    public const int CallbackBytes = 64;

    private readonly List<PendingContent> _pending = [];
    private readonly List<(PendingContent Content, string? Path)> _checks = [];
    private readonly List<(IGraphListener Callbacks, object Instance)> _completed = [];
    private int _callbackCount;

    /// <summary>The number of collections that wait.</summary>
    public int PendingCount => _pending.Count;

    /// <summary>The objects that user code has replaced by others.</summary>
    public Substitutions Substitutions { get; } = new();

    /// <summary>Whether work is left after all objects of the root are complete.</summary>
    public bool HasEnd => _completed.Count > 0 || Substitutions.Count > 0;

    /// <summary>Whether any work waits for the end of the graph.</summary>
    public bool HasAny => _pending.Count > 0 || _checks.Count > 0;

    public void Add(TypeSerializer serializer, object instance, object content) =>
        _pending.Add(new PendingContent(serializer, instance, content));

    /// <summary>Remembers an object whose callback runs when the graph is complete, children first.</summary>
    public void AddCompleted(IGraphListener callbacks, object instance)
    {
        if (callbacks.EndsReading)
            _completed.Add((callbacks, instance));
    }

    /// <summary>Counts a run of the user's code against its limit.</summary>
    public void CountCallback(SlimReader reader)
    {
        reader.Charge(CallbackBytes);
        var countMax = reader.Limits.MaxCallbackCount;
        if (++_callbackCount > countMax)
            Throw.Limit(nameof(SlimLimits.MaxCallbackCount), countMax, _callbackCount);
    }

    /// <summary>Completes the collections that the content reaches, because an object that cannot wait is built from it
    /// next. They are filled again at the end, when more objects are known.</summary>
    public void RunReached(SlimReader reader, object content)
    {
        if (_pending.Count == 0)
            return;
        var before = Substitutions.Count;
        reader.Keys.Add(_pending.Count, KeyLedger.PartSteps);
        new CompletionOrder(reader, _pending, isRepeated: true).Run([content]);
        if (Substitutions.Count == before)
            return;
        reader.Keys.Add(reader.Handles.Count, KeyLedger.PartSteps);
        reader.Replace(Substitutions);
    }

    /// <summary>Lets the serializer check the collection again when the graph is complete.</summary>
    public void AddCheck(SlimReader reader, PendingContent content) =>
        _checks.Add((content, reader.Trace?.ToString()));

    public void Run(SlimReader reader)
    {
        reader.Keys.Forget();
        if (_pending.Count == 1 && !_pending[0].Serializer.IsReplaceable)
            _pending[0].Complete(reader);
        else if (_pending.Count > 0)
            new CompletionOrder(reader, _pending).Run(_pending.Select(static p => p.Instance));
        foreach ((var content, var path) in _checks)
            content.CheckComplete(path);
        Clear(_pending);
        Clear(_checks);
    }

    /// <summary>Does the work after all objects of the root are complete: puts real objects into the places of their
    /// substitutes, and then runs callbacks. Returns the real root.</summary>
    public T Finish<T>(SlimReader reader, T root)
    {
        var real = FinishObject(reader, root);
        if (real is T finished)
            return finished;
        if (real is not null)
            Throw.Malformed($"The root stands for a {real.GetType()}, which is not a {typeof(T)}.");
        return root;
    }

    private object? FinishObject(SlimReader reader, object? root)
    {
        if (Substitutions.Count > 0 && root is not null)
        {
            new CompletionOrder(reader, []).Replace(root);
            reader.Replace(Substitutions);
            root = Substitutions.TryFind(root, out var real) ? real : root;
        }

        // A repeated read only searches for the member that failed; callbacks do not run again.
        if (reader.Trace is null)
            TellCompleted(reader);
        Clear(_completed);
        Substitutions.Clear();
        return root;
    }

    private void TellCompleted(SlimReader reader)
    {
        foreach ((var callbacks, var instance) in _completed)
            callbacks.RunDeserialized(reader, instance);
        foreach ((var callbacks, var instance) in _completed)
            callbacks.RunNotification(reader, instance);
    }

    public void Clear()
    {
        Clear(_pending);
        Clear(_checks);
        Clear(_completed);
        Substitutions.Clear();
        _callbackCount = 0;
    }

    private static void Clear<T>(List<T> list)
    {
        list.Clear();
        if (list.Capacity > RetainedCount)
            list.Capacity = 0;
    }
}
