using Cluster.Glue.Signatures;

namespace Cluster.Glue.Serving;

/// <summary>For emitted code: takes the return value of a method, for each declared kind of task, and ends the call
/// when it is complete. Stateless.</summary>
internal static class ReturnedTasks
{
    public static void ReturnNothing(IncomingCall call) => call.Return<Nothing>(default);

    public static void ReturnTask<T>(IncomingCall call, Task<T> task)
    {
        if (task is { IsCompletedSuccessfully: true })
            call.Return(task.Result);
        else
            _ = AwaitAsync(call, new ValueTask<T>(NotNull(task)));
    }

    public static void ReturnPlainTask(IncomingCall call, Task task)
    {
        if (task is { IsCompletedSuccessfully: true })
            ReturnNothing(call);
        else
            _ = AwaitPlainAsync(call, new ValueTask(NotNull(task)));
    }

    public static void ReturnValueTask<T>(IncomingCall call, ValueTask<T> task)
    {
        if (task.IsCompletedSuccessfully)
            call.Return(task.Result);
        else
            _ = AwaitAsync(call, task);
    }

    public static void ReturnPlainValueTask(IncomingCall call, ValueTask task)
    {
        if (task.IsCompletedSuccessfully)
        {
            task.GetAwaiter().GetResult();
            ReturnNothing(call);
        }
        else
        {
            _ = AwaitPlainAsync(call, task);
        }
    }

    private static T NotNull<T>(T? task)
        where T : Task =>
        task ?? throw new InvalidOperationException("The method returned null instead of a task.");

    private static async Task AwaitAsync<T>(IncomingCall call, ValueTask<T> task)
    {
        T result;
        try
        {
            result = await task.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            call.Fail(exception);
            return;
        }

        call.Return(result);
    }

    private static async Task AwaitPlainAsync(IncomingCall call, ValueTask task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            call.Fail(exception);
            return;
        }

        ReturnNothing(call);
    }
}
