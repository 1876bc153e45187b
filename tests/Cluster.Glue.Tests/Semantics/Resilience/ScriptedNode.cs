using Cluster.Glue.Filters;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Resilience;

public interface IScripted
{
    [Idempotent]
    Task<int> GetAsync(int number, CancellationToken cancellationToken = default);

    [Idempotent]
    int Find(int number);

    Task<int> PutAsync(int number, CancellationToken cancellationToken = default);

    Task<int> FetchAsync(int[] numbers);

    [Idempotent]
    Task<int> SumAsync(IAsyncEnumerable<int> numbers);
}

public interface IOther
{
    Task<int> AskAsync();
}

/// <summary>A server whose answers a test writes. What it counts changes by atomic steps.</summary>
internal sealed class ScriptedNode : IScripted, IOther, IGlueFilter
{
    private GlueHost _host = null!;
    private int _arrived;
    private int _ran;

    private ScriptedNode(SemanticBinding binding) => Binding = binding;

    public SemanticBinding Binding { get; }

    public string Address => Binding.TargetOf(_host.Address);

    /// <summary>Attempts that have come here.</summary>
    public int Arrived => Volatile.Read(ref _arrived);

    /// <summary>Methods that have run.</summary>
    public int Ran => Volatile.Read(ref _ran);

    /// <summary>How attempts fail before the method runs, by their count from 1; null: they do not.</summary>
    public Func<int, Exception?> Refusal { get; set; } = _ => null;

    /// <summary>What methods do.</summary>
    public Func<int, CancellationToken, Task<int>> Work { get; set; } = (number, _) => Task.FromResult(number);

    public static async Task<ScriptedNode> StartAsync(SemanticBinding binding, TimeProvider time)
    {
        var node = new ScriptedNode(binding);
        node._host = await GlueHost.StartAsync(
            options =>
            {
                options.TimeProvider = time;
                binding.Configure(options);
            },
            glue =>
            {
                glue.Services.AddSingleton(node);
                glue.AddService<IScripted, ScriptedNode>(GlueInstanceMode.Singleton, filters => filters.Add(node))
                    .AddService<IOther, ScriptedNode>(GlueInstanceMode.Singleton);
            });
        return node;
    }

    public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed) =>
        Refusal(Interlocked.Increment(ref _arrived)) is { } refusal ? throw refusal : proceed(context);

    public Task<int> GetAsync(int number, CancellationToken cancellationToken) => RunAsync(number, cancellationToken);

    public int Find(int number)
    {
        Interlocked.Increment(ref _ran);
        return number;
    }

    public Task<int> PutAsync(int number, CancellationToken cancellationToken) => RunAsync(number, cancellationToken);

    public Task<int> FetchAsync(int[] numbers) => RunAsync(numbers.Sum(), default);

    public async Task<int> SumAsync(IAsyncEnumerable<int> numbers) => await RunAsync(await numbers.SumAsync(), default);

    public Task<int> AskAsync() => Task.FromResult(42);

    public Task StopAsync() => _host.DisposeAsync().AsTask();

    private Task<int> RunAsync(int number, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _ran);
        return Work(number, cancellationToken);
    }
}
