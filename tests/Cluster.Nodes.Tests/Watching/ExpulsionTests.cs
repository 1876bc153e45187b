using Cluster.Nodes.Configuration;
using Cluster.Nodes.Deltas;
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
        var view = new TableView(Node(0), Empty);
        var tables = new RecentTables(view);
        var expulsion = Create(tables);
        tables.Publish(With(Member(0), Member(1)) with { Version = 2 });
        expulsion.Apply(view.Current);
        Assert.Null(expulsion.Reason);
        Assert.Equal(HealthStatus.Healthy, await CheckLiveAsync(expulsion));

        var next = state is { } known ? With(Member(0, known), Member(1)) : With(Member(1));
        tables.Publish(next with { Version = 3 });
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
        var view = new TableView(Node(0), Empty);
        var tables = new RecentTables(view);
        var expulsion = Create(tables);
        var beforeJoin = With(Member(1)) with { Version = 2 };
        tables.Publish(beforeJoin);
        expulsion.Apply(beforeJoin);
        Assert.Null(expulsion.Reason);

        // The loop that acts on tables may still process this one when the node has joined.
        tables.Publish(With(Member(0), Member(1)) with { Version = 3 });
        expulsion.Apply(beforeJoin);
        Assert.Null(expulsion.Reason);
        Assert.False(_host.ApplicationStopping.IsCancellationRequested);
        tables.Publish(With(Member(1)) with { Version = 4 });
        Assert.NotNull(expulsion.Reason);
    }

    [Fact]
    public void Apply_TableLoopMissesTheTablesThatListTheNode_StopsTheHost()
    {
        var view = new TableView(Node(0), Empty);
        var tables = new RecentTables(view);
        var expulsion = Create(tables);
        tables.Publish(With(Member(0, MemberState.Joining), Member(1)) with { Version = 2 });
        tables.Publish(With(Member(0, MemberState.Gone), Member(1)) with { Version = 3 });
        tables.Publish(With(Member(1)) with { Version = 4 });

        expulsion.Apply(view.Current);

        Assert.Contains("table 4 no longer lists this node", expulsion.Reason, StringComparison.Ordinal);
        Assert.True(_host.ApplicationStopping.IsCancellationRequested);
    }

    [Fact]
    public void Apply_Client_IsNeverExpelled()
    {
        var view = new TableView(null, Empty);
        var tables = new RecentTables(view);
        var expulsion = Create(tables);
        tables.Publish(With(Member(0)) with { Version = 2 });
        tables.Publish(With(Member(1)) with { Version = 3 });
        expulsion.Apply(view.Current);
        Assert.Null(expulsion.Reason);
        Assert.False(_host.ApplicationStopping.IsCancellationRequested);
    }

    private Expulsion Create(RecentTables tables) => new(
        tables, _host, new ProcessExit(code => _exitCode = code),
        new LoopContext(
            TimeProvider.System, new NodeIdentity(Node(0)), _logs.CreateLogger<LoopContext>()));

    private static async Task<HealthStatus> CheckLiveAsync(Expulsion expulsion) =>
        (await new NodeLiveCheck(expulsion).CheckHealthAsync(new HealthCheckContext())).Status;
}
