namespace Cluster.Glue.Tests.Semantics.ObjectGraphs;

public interface IShape
{
    double Area();
}

public sealed class Circle : IShape
{
    public double Radius { get; set; }
    public double Area() => Radius * Radius * 3;
}

public struct Square : IShape
{
    public double Side { get; set; }
    public readonly double Area() => Side * Side;
}

public sealed class Drawing
{
    public IShape? First { get; set; }
    public object? Anything { get; set; }
    public IShape[] Shapes { get; set; } = [];
    public int[,] Grid { get; set; } = new int[0, 0];
    public int[][] Rows { get; set; } = [];
}

public class Person(string secret, int number)
{
#pragma warning disable IDE0044, CA1051 // Fields of every kind are what this type is for.
    private string _secret = secret;
    public readonly int Number = number;
    protected int _hidden = number + 1;

#pragma warning restore IDE0044, CA1051

    public string Secret => _secret;

    public int Hidden => _hidden;
}

public sealed class Employee(string secret, string ownSecret, int number) : Person(secret, number)
{
    private readonly string _secret = ownSecret;

    public string OwnSecret => _secret;

    public Person? Boss { get; set; }
}

/// <summary>Serialization code that fails when the test says so.</summary>
[Serializable]
public sealed class Moody
{
    public string FailsOn { get; set; } = "";

    [System.Runtime.Serialization.OnSerializing]
    internal void Write(System.Runtime.Serialization.StreamingContext context) => ThrowOn("write");

    [System.Runtime.Serialization.OnDeserialized]
    internal void Read(System.Runtime.Serialization.StreamingContext context) => ThrowOn("read");

    private void ThrowOn(string moment)
    {
        if (FailsOn == moment)
            throw new InvalidOperationException("moody on " + moment);
    }
}

public sealed class Fresh
{
    public Moody? Inside { get; set; }
    public Dictionary<string, Circle> ByName { get; set; } = [];
}

public sealed class Unlisted
{
    public int Value { get; set; }
}

public interface IGraphService
{
    Task<Node> EchoNodeAsync(Node node);
    Task<bool> AreSameAsync(Node left, Node right);
    Task<int> KeepAsync(Node node);
    Task<bool> IsKeptAsync(Node node);
    Task<Drawing> EchoDrawingAsync(Drawing drawing);
    Task<Employee> HireAsync(Person boss, string secret);
    Task<Dictionary<string, int>> EchoMapAsync(Dictionary<string, int> map);
    Task<HashSet<string>> EchoSetAsync(HashSet<string> words);
    Task<Moody> MoodAsync(Moody mood, string answer);
    Task<Fresh> FreshAsync(string failsOn);
    Task<object?> EchoAnythingAsync(object? value);
    Task<byte[]> MakeBytesAsync(int count);
    Task<int> CountBytesAsync(byte[] bytes);
    Task<int> RunsAsync();
}

internal sealed class GraphService : IGraphService
{
    private Node? _kept;
    private int _runs;

    public Task<Node> EchoNodeAsync(Node node) => Ran(node);

    public Task<bool> AreSameAsync(Node left, Node right) => Ran(ReferenceEquals(left, right));

    public Task<int> KeepAsync(Node node)
    {
        _kept = node;
        return Ran(1);
    }

    public Task<bool> IsKeptAsync(Node node) => Ran(ReferenceEquals(_kept, node));

    public Task<Drawing> EchoDrawingAsync(Drawing drawing) => Ran(drawing);

    public Task<Employee> HireAsync(Person boss, string secret) =>
        Ran(new Employee(secret, secret + "!", boss.Number + 1) { Boss = boss });

    public Task<Dictionary<string, int>> EchoMapAsync(Dictionary<string, int> map) => Ran(map);

    public Task<HashSet<string>> EchoSetAsync(HashSet<string> words) => Ran(words);

    public Task<Moody> MoodAsync(Moody mood, string answer) => Ran(new Moody { FailsOn = answer });

    public Task<Fresh> FreshAsync(string failsOn) =>
        Ran(new Fresh { Inside = new Moody { FailsOn = failsOn }, ByName = { ["a"] = new Circle { Radius = 2 } } });

    public Task<object?> EchoAnythingAsync(object? value) => Ran(value);

    public Task<byte[]> MakeBytesAsync(int count) => Ran(new byte[count]);

    public Task<int> CountBytesAsync(byte[] bytes) => Ran(bytes.Length);

    public Task<int> RunsAsync() => Task.FromResult(_runs);

    private Task<T> Ran<T>(T value)
    {
        _runs++;
        return Task.FromResult(value);
    }
}
