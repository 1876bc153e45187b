using Cluster.Glue.Tests.Semantics;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Methods that any argument may reach without harm: none waits, none allocates what it is told.</summary>
public interface IProbes
{
    Task<string?> EchoTextAsync(string? text);
    Task<Node> EchoGraphAsync(Node node);
    Task<Animal[]> EchoAnimalsAsync(Animal[] animals);
    Task<byte[]> EchoBytesAsync(byte[] bytes);
    Task<long> SumAsync(int a, long b, decimal c, DateTime d, Guid e, double f);
    Task<int> FailAsync();
    Task<int> FailUnlistedAsync();
    Task TakeAnythingAsync(object? value);
    Task NothingAsync();
    [OneWay] Task NoteAsync(string text);
}
