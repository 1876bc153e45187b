using Cluster.Glue.Tests.Semantics;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>The service of <see cref="IProbes"/>. Stateless.</summary>
internal sealed class Probes : IProbes
{
    public Task<string?> EchoTextAsync(string? text) => Task.FromResult(text);

    public Task<Node> EchoGraphAsync(Node node) => Task.FromResult(node);

    public Task<Animal[]> EchoAnimalsAsync(Animal[] animals) => Task.FromResult(animals);

    public Task<byte[]> EchoBytesAsync(byte[] bytes) => Task.FromResult(bytes);

    public Task<long> SumAsync(int a, long b, decimal c, DateTime d, Guid e, double f) => Task.FromResult(unchecked(a + b));

    public Task<int> FailAsync() => throw new ShopException("empty shelf", 7, new InvalidOperationException("why"));

    public Task<int> FailUnlistedAsync() => throw new UnlistedException("not on the list");

    public Task TakeAnythingAsync(object? value) => Task.CompletedTask;

    public Task NothingAsync() => Task.CompletedTask;

    public Task NoteAsync(string text) => Task.CompletedTask;
}
