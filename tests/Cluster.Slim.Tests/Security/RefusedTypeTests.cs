using System.Linq.Expressions;
using System.Net.Sockets;
using System.Reflection.Emit;
using System.Text.RegularExpressions;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Slim.Tests.Security;

/// <summary>Acceptance case J: every kind of thing that is not data, on write and on read.</summary>
[Trait("Case", "slim-J")]
public sealed class RefusedTypeTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Handles_AreRefused()
    {
        using SafeFileHandle handle = new();
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using MemoryStream stream = new();
        using StringReader reader = new("");
        Check(handle, "operating-system handle");
        Check(socket, "operating-system handle");
        Check(stream, "operating-system handle");
        Check(reader, "position in a stream");
        CheckValue((nint)5, "an address");
        CheckValue((nuint)5, "an address");
        var pinned = GCHandle.Alloc(this);
        CheckValue(pinned, "an address");
        pinned.Free();
    }

    [Fact]
    public unsafe void Pointers_AreRefused()
    {
        CheckWrite(new WithPointer { Address = (int*)8 }, "WithPointer: ", "its field Address is a pointer");
        CheckWrite(new WithFunction { Function = &Nothing }, "WithFunction: ", "its field Function is a pointer");
        CheckWrite(new Holder { Value = new int*[1] }, "Holder.Value", "an address");
        CheckWrite(new Holder<PointerStruct> { Value = new() { Address = (int*)8 } }, "Holder`1.Value", "is a pointer");
    }

    [Fact]
    public void WorkInProgress_IsRefused()
    {
        using CancellationTokenSource source = new();
        using Timer timer = new(static _ => { });
        Check(Task.FromResult(1), "work in progress");
        CheckValue(new ValueTask<int>(1), "work in progress");
        Check(new TaskCompletionSource<int>(), "work in progress");
        Check(source, "cancellation");
        CheckValue(source.Token, "cancellation");
        Check(timer, "work in progress");
        Check(Thread.CurrentThread, "a thread");
    }

    [Fact]
    public void ThingsOfThreads_AreRefused()
    {
        using ThreadLocal<int> local = new(() => 1);
        using SemaphoreSlim semaphore = new(1);
        using ManualResetEvent signal = new(false);
        using BlockingCollection<int> blocking = [1];
        Check(local, "one thread");
        Check(new AsyncLocal<int> { Value = 1 }, "one thread");
        Check(semaphore, "coordinates the threads");
        Check(new Lock(), "coordinates the threads");
        Check(signal, "operating-system handle");
        Check(blocking, "threads wait");
        SpinLock spin = new(false);
        var taken = false;
        spin.Enter(ref taken);
        CheckValue(spin, "coordinates the threads");
    }

    [Fact]
    [Trait("BackEnd", "Emitted")]
    public void Code_IsRefused()
    {
        DynamicMethod dynamicMethod = new("m", typeof(void), []);
        Check(dynamicMethod, "code is not data");
        Check<Expression>(Expression.Constant(1), "code is not data");
        Check(typeof(int).Assembly, "code is not data");
        Check(new Action(static () => { }), "carries code");
        Check(new Regex("a"), "a pattern is a program");
        CheckWrite(new Holder<Lazy<int>> { Value = new(() => 1) }, "Holder`1.Value", "no value yet");
    }

    [Fact]
    public void ThingsThatVanish_AreRefused()
    {
        Check(new WeakReference(this), "vanish");
        Check(new WeakReference<object>(this), "vanish");
        Check(new ConditionalWeakTable<object, object>(), "vanish");
    }

    [Fact]
    public void Queries_AreRefused()
    {
        int[] numbers = [1, 2];
        Check(numbers.Where(static n => n > 1), "enumerator");
        Check<IEnumerable<int>>(numbers.OrderBy(static n => -n), "is a");
        Check(numbers.ToLookup(static n => n), "carry its items");
        Check(numbers.GroupBy(static n => n).First(), "carry its items");
        Check(Yield(), "enumerator");
        Check(numbers.GetEnumerator(), "enumerator");
        Check(YieldAsync(), "in progress");
    }

    [Fact]
    public void ByRefLikeFields_AreRefused() =>
        Assert.Throws<ArgumentException>(() => new SlimOptions().Allow(typeof(Span<int>)));

    private static void Nothing()
    {
    }

    private static IEnumerable<int> Yield()
    {
        yield return 1;
    }

    private static async IAsyncEnumerable<int> YieldAsync()
    {
        await Task.CompletedTask;
        yield return 1;
    }

    private void Check<T>(T value, string reason)
        where T : class
    {
        CheckWrite(new Holder { Value = value }, "Holder.Value", reason);
        SlimSerializer trusted = new(new SlimOptions { Profile = SlimProfile.Trusted });
        Assert.IsAssignableFrom<SlimException>(Record.Exception(() => trusted.Serialize<object>(value)));
        CheckRead(value.GetType(), value);
    }

    private void CheckValue<T>(T value, string reason)
        where T : struct
    {
        CheckWrite(new Holder { Value = value }, "Holder.Value", reason);
        CheckWrite(new Holder<T> { Value = value }, "Holder`1.Value", reason);
        Assert.Equal(default, _slim.DeepClone(new Holder<T>()).Value);
        var message = _slim.Serialize(new Holder<T>());
        message[^1] = 1;
        var first = Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Deserialize<Holder<T>>(message)).Message;
        Assert.Contains(reason, first, StringComparison.Ordinal);
        Assert.Equal(first, Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Deserialize<Holder<T>>(message)).Message);
    }

    private void CheckWrite<T>(T holder, string path, string reason)
    {
        var first =
            Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(holder));
        Assert.StartsWith(path, first.Message, StringComparison.Ordinal);
        Assert.Contains(reason, first.Message, StringComparison.Ordinal);
        Assert.Equal(first.Message, Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(holder)).Message);
    }

    // A message that names the type, where the declared type of the field puts it on the list.
    private static void CheckRead(Type type, object value)
    {
        if (!type.IsVisible || type.IsAbstract)
            return;
        typeof(RefusedTypeTests).GetMethod(nameof(CheckForged), System.Reflection.BindingFlags.Static
            | System.Reflection.BindingFlags.NonPublic)!.MakeGenericMethod(type).Invoke(null, [value]);
    }

    private static void CheckForged<T>(T value)
        where T : class
    {
        SlimSerializer slim = new();
        var written = Assert.Throws<SlimTypeNotSupportedException>(
            () => slim.Serialize(new Holder<T> { Value = value })).Message;
        var message = slim.Serialize(new Holder<T>());
        message[^1] = 1;
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var error = Assert.Throws<SlimTypeNotSupportedException>(
                () => slim.Deserialize<Holder<T>>(message));
            Assert.Equal(written, error.Message);
        }
    }

    private sealed class Holder
    {
        public object? Value;
    }

    private sealed class Holder<T>
    {
        public T? Value;
    }

    private sealed unsafe class WithPointer
    {
        public int* Address;
    }

    private unsafe struct PointerStruct
    {
        public int* Address;
    }

    private sealed unsafe class WithFunction
    {
        public delegate*<void> Function;
    }
}
