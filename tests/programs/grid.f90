! Heat on a grid, in Fortran: a module, contained procedures, recursion, an operator.
module heat
  implicit none
  integer, parameter :: n = 160
  interface operator(.avg.)
    module procedure average
  end interface
contains
  pure function average(a, b) result(c)
    real, intent(in) :: a, b
    real :: c
    c = (a + b) / 2
  end function average

  subroutine relax(grid, next)
    real, intent(in) :: grid(n, n)
    real, intent(out) :: next(n, n)
    integer :: i, j
    next = grid
    do j = 2, n - 1
      do i = 2, n - 1
        next(i, j) = (grid(i - 1, j) .avg. grid(i + 1, j)) .avg. (grid(i, j - 1) .avg. grid(i, j + 1))
      end do
    end do
  end subroutine relax

  recursive function depth(k) result(d)
    integer, intent(in) :: k
    integer :: d
    if (k <= 1) then
      d = 1
    else
      d = depth(k / 2) + depth(k - k / 2)
    end if
  end function depth
end module heat

program grid_program
  use heat
  implicit none
  real :: a(n, n), b(n, n)
  integer :: step, total
  a = 0
  a(:, 1) = 100
  total = 0
  do step = 1, 200
    call relax(a, b)
    call relax(b, a)
    total = total + depth(1000)
    call note(step)
  end do
  print *, sum(a) > 0, total
contains
  subroutine note(k)
    integer, intent(in) :: k
    if (mod(k, 100) == 0) total = total - 1
  end subroutine note
end program grid_program
