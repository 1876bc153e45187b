namespace Cluster.Glue.Tests.Golden;

/// <summary>The contract of the recorded conversation. It does not change: its frames are kept.</summary>
public interface IGoldenShop
{
    Task<string> EchoAsync(string text);
    Task<GoldenItem> TurnAsync(GoldenItem item);
    Task FailAsync();
    [OneWay] Task NoteAsync(string text);
}

public sealed class GoldenItem
{
    public string Name { get; set; } = "";
    public decimal Price { get; set; }
    public GoldenItem? Next { get; set; }
}

internal sealed class GoldenShop : IGoldenShop
{
    public Task<string> EchoAsync(string text) => Task.FromResult(text);

    public Task<GoldenItem> TurnAsync(GoldenItem item) => Task.FromResult(item.Next!);

    public Task FailAsync() => throw new InvalidOperationException("closed");

    public Task NoteAsync(string text) => Task.CompletedTask;
}
