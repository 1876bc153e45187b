using System.Runtime.Serialization;
using Cluster.Glue.Authorization;
using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>A contract with every kind of rule at its methods.</summary>
[AuthorizeContract]
public interface IGuarded
{
    Task<string> NameAsync();

    [AllowAnonymous]
    Task<string> OpenAsync();

    [Authorize(Roles = "admin")]
    Task<string> AdminAsync();

    [Authorize(Policy = "Slow")]
    Task<string> SlowAsync();

    [Authorize(Policy = "Broken")]
    Task<string> BrokenAsync();

    Task<int> TakeAsync(Parcel parcel);

    Task<T> EchoAsync<T>(T value);

    IAsyncEnumerable<int> CountAsync(int count);

    Task<int> SumAsync(IAsyncEnumerable<int> items);

    [OneWay]
    Task TellAsync(string text);

    Task<IGuardedCallback> LendAsync();

    Task<string> ByClassAsync();

    string NameNow();
}

/// <summary>Lent to callers, who have to be known when they use it.</summary>
[AuthorizeContract]
public interface IGuardedCallback
{
    Task<string> NameAsync();
}

/// <summary>Its base asks for a known user, and it says nothing itself.</summary>
public interface IDerived : IGuardedBase
{
    Task<string> OwnAsync();
}

[AuthorizeContract]
public interface IGuardedBase
{
    Task<string> BaseAsync();
}

/// <summary>Tells when it was made of bytes.</summary>
[Serializable]
public sealed class Parcel
{
    private static int _madeCount;

    public static int MadeCount => Volatile.Read(ref _madeCount);

    public byte[] Content { get; set; } = [];

    [OnDeserialized]
    private void NoteMade(StreamingContext context)
    {
        // A sender tries whether a reader could make what it sends.
        if (!Environment.StackTrace.Contains("SlimMessageWriter", StringComparison.Ordinal))
            Interlocked.Increment(ref _madeCount);
    }
}

/// <summary>What the services have seen. Concurrent.</summary>
public sealed class Seen
{
    public ConcurrentQueue<string> Calls { get; } = new();
}

/// <summary>Answers with the name of its caller.</summary>
public sealed class Guarded(Seen seen) : IGuarded, IGuardedCallback
{
    public Task<string> NameAsync() => NoteAsync("name");

    public Task<string> OpenAsync() => NoteAsync("open");

    public Task<string> AdminAsync() => NoteAsync("admin");

    public Task<string> SlowAsync() => NoteAsync("slow");

    public Task<string> BrokenAsync() => NoteAsync("broken");

    public Task<int> TakeAsync(Parcel parcel)
    {
        _ = NoteAsync("take");
        return Task.FromResult(parcel.Content.Length);
    }

    public async Task<T> EchoAsync<T>(T value)
    {
        await NoteAsync("echo");
        return value;
    }

    public async IAsyncEnumerable<int> CountAsync(int count)
    {
        await NoteAsync("count");
        for (var i = 0; i < count; i++)
            yield return i;
    }

    public async Task<int> SumAsync(IAsyncEnumerable<int> items)
    {
        await NoteAsync("sum");
        var sum = 0;
        await foreach (var item in items)
            sum += item;
        return sum;
    }

    public Task TellAsync(string text) => NoteAsync($"tell {text}");

    public async Task<IGuardedCallback> LendAsync()
    {
        await NoteAsync("lend");
        return this;
    }

    [Authorize(Roles = "auditor")]
    public Task<string> ByClassAsync() => NoteAsync("class");

    public string NameNow() => NoteAsync("now").Result;

    private Task<string> NoteAsync(string what)
    {
        var name = GlueCall.Current?.User.Identity?.Name ?? "nobody";
        seen.Calls.Enqueue($"{what} by {name}");
        return Task.FromResult(name);
    }
}

/// <summary>Says what it was called for.</summary>
public sealed class Derived : IDerived
{
    public Task<string> BaseAsync() => Task.FromResult("base");

    public Task<string> OwnAsync() => Task.FromResult("own");
}
