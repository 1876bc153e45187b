namespace Cluster.Glue.Tests.Semantics;

public interface IShapes
{
    void DoNothing();
    int Twice(int value);
    Task PauseAsync();
    Task<int> TwiceAsync(int value);
    ValueTask RestAsync();
    ValueTask<int> ThriceAsync(int value);
    Task<string?> EchoTextAsync(string? text);
    Task<int?> EchoNullableAsync(int? value);
    Task<string?[]> EchoManyAsync(params string?[] texts);
    Task<int> WithDefaultAsync(int first, int second = 40, string text = "x");
    Task<long> SixteenAsync(
        byte a, sbyte b, short c, ushort d, int e, uint f, long g, ulong h,
        float i, double j, decimal k, bool l, char m, string n, Guid o, DateTime p);
#pragma warning disable CA1068 // Where the token stands is what these two test.
    Task<string> TokenFirstAsync(CancellationToken cancellationToken, string text);
    Task<string> TokenInTheMiddleAsync(string left, CancellationToken cancellationToken, string right);
#pragma warning restore CA1068
}

public interface IOverloads
{
    Task<string> SayAsync();
    Task<string> SayAsync(int value);
    Task<string> SayAsync(string value);
    Task<string> SayAsync(int value, string text);
    Task<string> SayAsync(List<int> values);
    Task<string> SayAsync(List<string> values);
}

public interface IBox<T>
{
    Task<T> KeepAsync(T value);
    Task<string> TypeNameAsync();
}

public interface ILeft
{
    Task<string> LeftAsync();
    Task<string> CommonAsync();
}

public interface IRight
{
    Task<string> RightAsync();
    Task<string> CommonAsync();
}

public interface IDiamond : ILeft, IRight
{
    Task<string> BottomAsync();
}

internal interface IHidden
{
    Task<Secret> WhisperAsync(Secret secret);
}

internal sealed class Secret
{
    public string Text { get; set; } = "";
}

public sealed class Node
{
    public string Name { get; set; } = "";
    public Node? Next { get; set; }
}

public abstract class Animal
{
    private string _name = "";

    public string Name
    {
        get => _name;
        set => _name = value;
    }
}

public sealed class Dog : Animal
{
    public int Barks { get; set; }
}

public sealed class Cat : Animal
{
    public bool Purrs { get; set; }
}

public interface IGraphs
{
    Task<Node> EchoAsync(Node node);
    Task<bool> AreSameAsync(Node left, Node right);
    Task<Node[]> PairAsync(Node node);
    Task<Animal[]> EchoAnimalsAsync(Animal[] animals);
    Task<byte[]> EchoBytesAsync(byte[] bytes);
    Task<byte[]> MakeBytesAsync(int count);
}

public sealed class ShopException : Exception
{
    public ShopException()
    {
    }

    public ShopException(string message, int shelf, Exception? inner = null)
        : base(message, inner) => Shelf = shelf;

    public int Shelf { get; set; }
}

public sealed class UnlistedException(string message) : Exception(message);

public sealed class Unwritable
{
    public Action? Callback { get; set; }
}

public interface IFailures
{
    Task ThrowListedAsync();
    Task<int> ThrowUnlistedAsync(string message);
    void ThrowBuiltIn(string parameter);
    Task ThrowBeforeTaskAsync();
    Task ThrowCancelledAsync();
    Task<object> ReturnUnwritableAsync();
    Task TakeAnythingAsync(object? value);
}

public interface ITiming
{
    Task<bool> HasSynchronizationContextAsync();
    Task<bool> WaitForCancellationAsync(CancellationToken cancellationToken);
    Task WaitForeverAsync();
    Task<TimeSpan> RemainingAsync();
    Task<TimeSpan> RemainingDownstreamAsync();
    Task<int> CancellationsAsync();
    [OneWay] Task NoteAsync(string text);
    [OneWay] void NoteNow(string text);
    [OneWay] Task FailSilentlyAsync();
    Task<string[]> NotesAsync();
}

public interface ICounter
{
    Task<int> NextAsync();
}

public interface ISharedCounter
{
    Task<int> NextAsync();
}

public interface INotOffered
{
    Task GoAsync();
}
