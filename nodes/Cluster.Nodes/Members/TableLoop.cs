using Cluster.Nodes.Loops;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Members;

/// <summary>Acts on each new table of the view: first the state store, then the announcements, and last this node's own
/// place in it. Owned by the lifecycle; its fields are used by its own loop alone.</summary>
internal sealed class TableLoop : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2));

    private readonly TableView _view;
    private readonly ChangeTeller _teller;
    private readonly Expulsion _expulsion;
    private readonly CurrentMemberRole _role;
    private readonly BackgroundLoop _loop;
    private long _applied = -1;

    public TableLoop(
        TableView view,
        ChangeTeller teller,
        Expulsion expulsion,
        CurrentMemberRole role,
        LoopContext loops)
    {
        _view = view;
        _teller = teller;
        _expulsion = expulsion;
        _role = role;
        _loop = new BackgroundLoop("Acting on the cluster table", Pace, loops, StepAsync);
    }

    public string? Failure => _loop.Failure;

    public void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        var table = await _view.WaitForNewerAsync(_applied, cancellationToken).ConfigureAwait(false);
        _role.Current?.Apply(table);
        _applied = table.Version;
        _teller.Tell(table);
        _expulsion.Apply(table);
    }
}
