namespace Cluster.Glue.Tests.Semantics.Instances;

/// <summary>Called back by a room, from outside of which it may call the room again.</summary>
public interface IGuest
{
    Task<int> AnswerAsync(int number);
}

/// <summary>Instances that wait for a guest while a call is inside.</summary>
public interface IRoom
{
    [Constructor]
    Task<GlueInstance> OpenAsync();

    Task<int> AskAsync(IGuest guest, int number);

    Task<int> AddAsync(int number);
}

/// <summary>The same, but a guest cannot come back into it.</summary>
public interface IClosedRoom : IRoom;

internal class Room : IRoom
{
    private int _sum;

    public Task<GlueInstance> OpenAsync() => Task.FromResult<GlueInstance>(default);

    public async Task<int> AskAsync(IGuest guest, int number) => await guest.AnswerAsync(number) + (1000 * _sum);

    public Task<int> AddAsync(int number) => Task.FromResult(_sum += number);
}

[NonReentrant]
internal sealed class ClosedRoom : Room, IClosedRoom;

/// <summary>A guest of a test.</summary>
internal sealed class Guest(Func<int, Task<int>> answer) : IGuest
{
    public Task<int> AnswerAsync(int number) => answer(number);
}
