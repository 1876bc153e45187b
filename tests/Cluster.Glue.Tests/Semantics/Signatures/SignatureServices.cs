namespace Cluster.Glue.Tests.Semantics.Signatures;

internal sealed class GenericMethods : IGenericMethods
{
    private readonly ConcurrentQueue<string> _notes = new();

    public Task<T> EchoAsync<T>(T value) => Task.FromResult(value);

    public Task<T[]> RepeatAsync<T>(T value, int count, CancellationToken cancellationToken) =>
        Task.FromResult(Enumerable.Repeat(value, count).ToArray());

    public ValueTask<Dictionary<TKey, List<TValue>>> GroupAsync<TKey, TValue>(TKey key, params TValue[] values)
        where TKey : notnull =>
        new(new Dictionary<TKey, List<TValue>> { [key] = [.. values] });

    public string Describe<T>()
        where T : class, IShelf, new() =>
        typeof(T).Name + new T().Name();

    public Task<string> SizeAsync<T>(T value)
        where T : struct, IComparable<T> =>
        Task.FromResult(typeof(T).Name + value.CompareTo(default).ToString(CultureInfo.InvariantCulture));

    public Task RememberAsync<T>(T value) => NoteAsync(value);

    public Task NoteAsync<T>(T value)
    {
        _notes.Enqueue($"{typeof(T).Name} {value}");
        return Task.CompletedTask;
    }

    public Task<string> WhichAsync() => Task.FromResult("none");

    public Task<string> WhichAsync<T>() => Task.FromResult(typeof(T).Name);

    public Task<string> WhichAsync<T1, T2>() => Task.FromResult(typeof(T1).Name + typeof(T2).Name);

    public Task<string> WhichListAsync<T>(List<T> values) => Task.FromResult("list of " + typeof(T).Name);

    public Task<string> WhichListAsync<T>(T[] values) => Task.FromResult("array of " + typeof(T).Name);

    public Task<string[]> NotesAsync() => Task.FromResult(_notes.ToArray());
}

internal sealed class Propertied : IPropertied
{
    public int Size { get; set; } = 7;

    public string Name { get; private set; } = "unnamed";

    public Task<int> Later => Task.FromResult(2 * Size);

    public string Only
    {
        set => Name = value;
    }
}

internal sealed class WithDefaults : IWithDefaults
{
    public string Plain() => "class";

    public string Overridden() => "class";
}

internal sealed class DerivedDefaults : IDerivedDefaults;

internal sealed class ManyArguments : IManyArguments
{
    public Task<string> JoinAsync(
        int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
        int k, int l, int m, int n, int o, int p, int q, int r, string s, string? t) =>
        Task.FromResult(string.Join(' ', a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t ?? "null"));
}

/// <summary>One object behind two contracts whose methods have the same names; one of them explicitly.</summary>
internal sealed class TwoNames : IFirstName, ISecondName
{
    private int _count;

    public Task<string> WhoAsync(int number) => Task.FromResult("first " + number);

    Task<string> ISecondName.WhoAsync(int number) => Task.FromResult("second " + number);

    public Task<int> CountAsync() => Task.FromResult(Interlocked.Increment(ref _count));
}

internal sealed class NorthWeather : North.IWeather
{
    public Task<string> NowAsync() => Task.FromResult("snow");
}

internal sealed class SouthWeather : South.IWeather
{
    public Task<string> NowAsync() => Task.FromResult("sun");
}
