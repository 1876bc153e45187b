namespace Cluster.Analyzers.Tests.Operations;

/// <summary>What is reported about operations of states: what they hold, and which clocks they read.</summary>
public sealed class OperationAnalyzerTests
{
    [Fact]
    public async Task Service_InAnOperation_IsReported() => await SourceCheck.CheckAsync(
        """
        using Microsoft.Extensions.Logging;

        public sealed class Count(IServiceProvider {|CLU0005:services|}, int step) : IStateOperation<int, int>
        {
            private readonly IPartitionedState<string, int>? {|CLU0005:_other|};
            private readonly HttpClient? {|CLU0005:_http|};
            public ILogger<Count>? {|CLU0005:Logger|} { get; set; }
            [NonSerialized] private TimeProvider? _clock;
            private static readonly TimeProvider Shared = TimeProvider.System;

            public int Apply(ref int state, in OperationContext context)
            {
                GC.KeepAlive((services, _other, _http, _clock, Shared));
                return state += step;
            }
        }
        """);

    [Fact]
    public async Task Field_ThatCannotTravel_IsReported() => await SourceCheck.CheckAsync(
        """
        public sealed class Change(Func<int, int> {|CLU0002:change|}, Task before) : IStateOperation<int, int>
        {
            public Thread? {|CLU0002:Owner|} { get; init; }
            public bool WasReady { get; } = before.IsCompleted;
            public int Apply(ref int state, in OperationContext context) => state = change(state);
        }

        public sealed class NoOperation(Func<int, int> change) { public Thread? Owner; public int Run() => change(1); }
        """);

    [Fact]
    public async Task ClockOrChance_InApply_IsReported() => await SourceCheck.CheckAsync(
        """
        public sealed class Stamp : IStateOperation<List<object>, int>
        {
            private readonly DateTime _made = DateTime.UtcNow;
            private readonly Guid _id;

            public Stamp() => _id = Guid.NewGuid();

            public int Apply(ref List<object>? state, in OperationContext context)
            {
                state ??= [_made, _id];
                state.Add({|CLU0006:DateTime.UtcNow|});
                state.Add({|CLU0006:DateTimeOffset.UtcNow|});
                state.Add({|CLU0006:DateTime.Now|}.Date);
                state.Add({|CLU0006:Guid.NewGuid()|});
                state.Add({|CLU0006:new Random()|}.Next());
                state.Add({|CLU0006:Random.Shared|}.Next());
                state.Add({|CLU0006:TimeProvider.System|}.GetUtcNow());
                state.Add({|CLU0006:Environment.TickCount64|});
                state.RemoveAll(one => one is DateTime time && time < {|CLU0006:System.DateTime.Today|});
                state.Add(context.UtcNow);
                state.Add(context.CreateRandom().Next());
                state.Add(new Random(context.Seed));
                return state.Count;
            }

            public static DateTime Now() => DateTime.Now;
        }

        public sealed class Other { public DateTime Apply(ref int state, in OperationContext context) => DateTime.UtcNow; }
        """);

    [Fact]
    public async Task Apply_OfAnExplicitImplementation_IsAnalyzed() => await SourceCheck.CheckAsync(
        """
        public readonly struct Stamp : IStateOperation<DateTime, bool>
        {
            bool IStateOperation<DateTime, bool>.Apply(ref DateTime state, in OperationContext now)
            {
                state = {|CLU0006:DateTime.UtcNow|};
                return true;
            }
        }
        """);
}
