using Cluster.Nodes.Configuration;
using Cluster.Nodes.Lifecycle;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Watching;

[Trait("Case", "repair-C6")]
public sealed class ExpulsionTests : IDisposable
{
    private const int Expelled = 5080;

    private readonly LogRecorder _logs = new LogRecorder().Allow(Expelled);
    private readonly ApplicationLifetime _host =
        new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance);

    private int _exitCode;

    public void Dispose() => _logs.Dispose();

    [Theory]
    [InlineData(MemberState.Gone, "lists this node as gone")]
    [InlineData(null, "no longer lists this node")]
    public async Task Apply_NodeIsAMemberNoMore_StopsTheHostAndIsUnhealthy(MemberState? state, string why)
    {
        var view = new TableView(Node(0), With(Member(0), Member(1)));
        var expulsion = Create(view);
        expulsion.Apply(view.Current);
        Assert.Null(expulsion.Reason);
        Assert.Equal(HealthStatus.Healthy, await CheckLiveAsync(expulsion));

        var next = state is { } known ? With(Member(0, known), Member(1)) : With(Member(1));
        view.Publish(next with { Version = 2 });
        expulsion.Apply(view.Current);
        Assert.True(_host.ApplicationStopping.IsCancellationRequested);
        Assert.Equal((int)ClusterExitCode.Expelled, _exitCode);
        Assert.Contains(why, expulsion.Reason, StringComparison.Ordinal);
        Assert.Contains(_logs.Entries, entry => entry.Event.Id == Expelled && entry.Message.Contains(why, StringComparison.Ordinal));
        Assert.Equal(HealthStatus.Unhealthy, await CheckLiveAsync(expulsion));
    }

    [Fact]
    public void Apply_NodeHasNotJoinedYet_IsNoExpulsion()
    {
        var view = new TableView(Node(0), With(Member(1)));
        var expulsion = Create(view);
        expulsion.Apply(view.Current);
        Assert.Null(expulsion.Reason);

        // The node joined with table 3. Another node then removed it from the table, and this view has seen neither
        // table yet.
        expulsion.NoteJoined(version: 3);
        expulsion.Apply(view.Current);
        Assert.Null(expulsion.Reason);
        Assert.False(_host.ApplicationStopping.IsCancellationRequested);
        view.Publish(With(Member(1)) with { Version = 4 });
        Assert.NotNull(expulsion.Reason);
    }

    [Fact]
    public void Apply_Client_IsNeverExpelled()
    {
        var view = new TableView(null, With(Member(0)));
        var expulsion = Create(view);
        expulsion.NoteJoined(version: 1);
        expulsion.Apply(view.Current);
        Assert.Null(expulsion.Reason);
        Assert.False(_host.ApplicationStopping.IsCancellationRequested);
    }

    private Expulsion Create(TableView view) => new(
        view, _host, new ProcessExit(code => _exitCode = code),
        new LoopContext(
            TimeProvider.System, new NodeIdentity(Node(0)), _logs.CreateLogger<LoopContext>()));

    private static async Task<HealthStatus> CheckLiveAsync(Expulsion expulsion) =>
        (await new NodeLiveCheck(expulsion).CheckHealthAsync(new HealthCheckContext())).Status;
}
