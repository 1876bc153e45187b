namespace Cluster.Glue.Tests.Semantics.Signatures;

public interface IShelf
{
    string Name();
}

public class Fruit : IShelf
{
    public string Kind { get; set; } = "";
    public string Name() => Kind;
}

public sealed class Apple : Fruit;

/// <summary>On no closed list.</summary>
public sealed class Stranger : IShelf
{
    public string Name() => "stranger";
}

public interface IGenericMethods
{
    Task<T> EchoAsync<T>(T value);
    Task<T[]> RepeatAsync<T>(T value, int count, CancellationToken cancellationToken = default);
    ValueTask<Dictionary<TKey, List<TValue>>> GroupAsync<TKey, TValue>(TKey key, params TValue[] values)
        where TKey : notnull;
    string Describe<T>()
        where T : class, IShelf, new();
    Task<string> SizeAsync<T>(T value)
        where T : struct, IComparable<T>;
    Task RememberAsync<T>(T value);
    [OneWay]
    Task NoteAsync<T>(T value);
    Task<string> WhichAsync();
    Task<string> WhichAsync<T>();
    Task<string> WhichAsync<T1, T2>();
    Task<string> WhichListAsync<T>(List<T> values);
    Task<string> WhichListAsync<T>(T[] values);
    Task<string[]> NotesAsync();
}

public interface IPropertied
{
    int Size { get; set; }
    string Name { get; }
    Task<int> Later { get; }
    string Only { set; }
}

public interface IWithDefaults
{
    string Plain();
    string Greet(string name) => $"interface greets {name} from {Plain()}";
    string Overridden() => "interface";
    static string Helper() => "static members stay local";
}

/// <summary>Its default members run where the object is.</summary>
public interface IDerivedDefaults : IWithDefaults
{
    string IWithDefaults.Plain() => "derived interface";
}

public interface IManyArguments
{
    Task<string> JoinAsync(
        int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
        int k, int l, int m, int n, int o, int p, int q, int r, string s, string? t);
}

public interface IFirstName
{
    Task<string> WhoAsync(int number);
    Task<int> CountAsync();
}

public interface ISecondName
{
    Task<string> WhoAsync(int number);
    Task<int> CountAsync();
}

/// <summary>Two interfaces of one short name.</summary>
public static class North
{
    public interface IWeather
    {
        Task<string> NowAsync();
    }
}

/// <inheritdoc cref="North"/>
public static class South
{
    public interface IWeather
    {
        Task<string> NowAsync();
    }
}
