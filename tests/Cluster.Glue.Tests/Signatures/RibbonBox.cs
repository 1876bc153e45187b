namespace Cluster.Glue.Tests.Signatures;

/// <summary>A contract whose signatures name none of the types that travel.</summary>
public interface IRibbonBox
{
    Task TakeAsync(object ribbon);

    Task<object> GiveAsync();

    IAsyncEnumerable<object> GiveManyAsync();

    Task FailAsync();
}

public sealed class Ribbon
{
    public string Colour { get; set; } = "red";
}

public sealed class RibbonException(string message) : Exception(message);

/// <summary>Takes and gives ribbons.</summary>
public sealed class RibbonBox : IRibbonBox
{
    public Task TakeAsync(object ribbon) => Task.CompletedTask;

    public Task<object> GiveAsync() => Task.FromResult<object>(new Ribbon());

    public async IAsyncEnumerable<object> GiveManyAsync()
    {
        await Task.Yield();
        yield return new Ribbon();
    }

    public Task FailAsync() => throw new RibbonException("torn");
}
